// The board: the library's drawing, and a grid of cells over it to press, drag and walk through.

import { drawing, el } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

export class Board {
  #cells = new Map();
  #cursor = null;
  #dragged = null;

  constructor(place) {
    this.place = place;
    this.grid = el("div", { class: "cells-over", role: "grid", "aria-label": "Board" });
    this.marks = document.createElementNS(SVG, "svg");
    this.marks.setAttribute("class", "marks");
    this.marks.setAttribute("aria-hidden", "true");
    this.tool = null;
    this.grid.addEventListener("pointerdown", (event) => this.#down(event));
    this.grid.addEventListener("pointermove", (event) => this.#move(event));
    this.grid.addEventListener("pointerup", () => { this.#drop(); });
    this.grid.addEventListener("pointercancel", () => { this.#dragged = null; });
    this.grid.addEventListener("pointerleave", () => this.tool?.leave?.());
    this.grid.addEventListener("contextmenu", (event) => {
      if (this.tool?.turn) { event.preventDefault(); this.tool.turn(); }
    });
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.grid.addEventListener("focusin", (event) => {
      this.#cursor = event.target.dataset?.cell ?? this.#cursor;
      if (this.#cursor) this.tool?.hover?.(this.#cursor);
    });
  }

  /** Shows a drawing and lays its cells over it. */
  show(view) {
    this.view = view;
    const focused = this.grid.contains(document.activeElement);
    const svg = drawing(view.svg);
    svg.setAttribute("aria-hidden", "true");
    svg.removeAttribute("role");
    const { left, top, cell, wide, high } = view.at;
    this.marks.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    Object.assign(this.grid.style, {
      left: `${100 * left / wide}%`, top: `${100 * top / high}%`,
      width: `${100 * cell * view.columns / wide}%`, height: `${100 * cell * view.rows / high}%`,
    });
    this.#lay(view);
    this.place.replaceChildren(svg, this.marks, this.grid);
    this.mark([]);
    if (focused && this.#cursor) this.#cells.get(this.#cursor)?.focus({ preventScroll: true });
  }

  #lay(view) {
    const size = `${view.rows}x${view.columns}`;
    if (this.size !== size) {
      this.size = size;
      this.#cells.clear();
      this.grid.replaceChildren();
      this.grid.style.gridTemplateRows = `repeat(${view.rows}, 1fr)`;
      for (let row = 0; row < view.rows; row++) {
        const line = el("div", { role: "row", class: "line" });
        line.style.gridTemplateColumns = `repeat(${view.columns}, 1fr)`;
        for (let column = 0; column < view.columns; column++) {
          const name = nameOf(row, column);
          const cell = el("div", { role: "gridcell", tabindex: "-1", "data-cell": name });
          this.#cells.set(name, cell);
          line.append(cell);
        }
        this.grid.append(line);
      }
      this.#cursor = nameOf(Math.floor(view.rows / 2), Math.floor(view.columns / 2));
    }
    for (const [name, cell] of this.#cells) {
      const words = `${name}, ${view.cells[name] ?? "hole"}`;
      cell.setAttribute("aria-label", words);
      cell.tabIndex = name === this.#cursor ? 0 : -1;
    }
  }

  /** Marks cells: a list of { cells, kind, text }, the later over the earlier. */
  mark(marks) {
    this.marks.replaceChildren(...marks.flatMap((mark) => mark.cells.map((name) => {
      const { left, top, cell } = this.view.at;
      const [row, column] = placeOf(name);
      const x = left + column * cell, y = top + row * cell;
      if (mark.text) {
        const text = document.createElementNS(SVG, "text");
        text.setAttribute("x", x + cell / 2);
        text.setAttribute("y", y + cell / 2 + 6);
        text.setAttribute("class", `mark ${mark.kind}`);
        text.textContent = mark.text;
        return text;
      }
      const shape = document.createElementNS(SVG, mark.kind === "can" ? "circle" : "rect");
      shape.setAttribute("class", `mark ${mark.kind}`);
      shape.dataset.cell = name;
      if (mark.kind === "can") {
        shape.setAttribute("cx", x + cell - 6);
        shape.setAttribute("cy", y + cell - 6);
        shape.setAttribute("r", 2.6);
      } else {
        shape.setAttribute("x", x + 2.5);
        shape.setAttribute("y", y + 2.5);
        shape.setAttribute("width", cell - 5);
        shape.setAttribute("height", cell - 5);
        shape.setAttribute("rx", 5);
      }
      return shape;
    })));
    for (const [name, cell] of this.#cells) {
      const chosen = marks.some((mark) => mark.kind === "chosen" && mark.cells.includes(name));
      cell.setAttribute("aria-selected", String(chosen));
    }
  }

  #at(event) {
    const box = this.grid.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / box.width * this.view.columns);
    const row = Math.floor((event.clientY - box.top) / box.height * this.view.rows);
    const inside = row >= 0 && column >= 0 && row < this.view.rows && column < this.view.columns;
    return inside ? nameOf(row, column) : null;
  }

  #down(event) {
    const cell = this.#at(event);
    if (!cell || event.button > 0) return;
    this.#walk(cell, false);
    this.#dragged = new Set([cell]);
    this.tool?.press?.(cell, false);
  }

  #move(event) {
    const cell = this.#at(event);
    if (!cell) return;
    if (!this.#dragged) {
      if (event.pointerType === "mouse") this.tool?.hover?.(cell);
    } else if (!this.#dragged.has(cell)) {
      this.#dragged.add(cell);
      this.tool?.press?.(cell, true);
    }
  }

  #drop() {
    const many = this.#dragged?.size > 1;
    this.#dragged = null;
    if (many) this.tool?.drop?.();
  }

  #walk(cell, focus = true) {
    const from = this.#cells.get(this.#cursor);
    if (from) from.tabIndex = -1;
    this.#cursor = cell;
    const to = this.#cells.get(cell);
    to.tabIndex = 0;
    to.focus({ preventScroll: !focus });
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const steps = {
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    };
    const [row, column] = placeOf(this.#cursor);
    if (steps[event.key]) {
      const [down, right] = steps[event.key];
      const to = [row + down, column + right];
      if (to[0] >= 0 && to[1] >= 0 && to[0] < this.view.rows && to[1] < this.view.columns) {
        this.#walk(nameOf(...to));
      }
    } else if (event.key === "Enter" || event.key === " ") {
      this.tool?.press?.(this.#cursor, false);
    } else if (!this.tool?.key?.(event.key, this.#cursor)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

export const nameOf = (row, column) => String.fromCharCode(97 + column) + (row + 1);
export const placeOf = (name) => [Number(name.slice(1)) - 1, name.charCodeAt(0) - 97];
