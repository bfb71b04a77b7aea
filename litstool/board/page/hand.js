// Laying pieces: press or drag over cells, or take a kind of piece, turn it and put it down.

import { button, el } from "./dom.js";
import { nameOf, placeOf } from "./board.js";

export class Hand {
  #chosen = [];
  #kind = null;
  #form = 0;
  #hovered = null;
  #preview = [];

  /** `play` is given a move or what was tried; `tell` says what went wrong. */
  constructor(store, board, tray, { play, tell }) {
    Object.assign(this, { store, board, tray, tell });
    this.playMove = play;
    this.isOn = true;
  }

  get view() { return this.store.view; }
  get kinds() { return this.store.game.kinds; }
  get size() { return this.kinds[0].ways[0].length; }

  /** Begins anew, for a position that has just come up. */
  reset() {
    this.#chosen = [];
    this.#preview = [];
    this.#hovered = null;
    this.#kind = null;
    this.showTray();
    this.mark();
  }

  showTray() {
    if (!this.isOn || this.view.finished || this.view.violations.length) {
      this.tray.replaceChildren();
      return;
    }
    const pieces = this.kinds.map((kind) => {
      const left = this.view.left[kind.name] ?? 0;
      return el("button", {
        type: "button", class: "kind", "aria-pressed": String(kind.name === this.#kind),
        "aria-label": `${kind.name}, ${left} left`, title: kind.name, "data-kind": kind.name,
        disabled: left <= 0, onclick: () => this.take(kind.name),
      }, miniature(kind, kind.name === this.#kind ? this.#form : 0), el("span", {}, String(left)));
    });
    const turns = this.size > 1 ? [
      button("Turn", () => this.turn(), { title: "Turn the piece (R)", id: "turn" }),
      button("Flip", () => this.flip(), { title: "Flip the piece (F)", id: "flip" }),
    ] : [];
    const others = this.view.others.map((each) =>
      button(each.words, () => this.playMove({ move: each.move }), { class: "other", "data-move": each.move }));
    this.tray.replaceChildren(
      el("div", { class: "kinds", role: "group", "aria-label": "Pieces" }, pieces, turns), ...others);
  }

  /** Takes a kind of piece into the hand, or lays it back. */
  take(name) {
    this.#kind = this.#kind === name ? null : name;
    this.#form = 0;
    this.#chosen = [];
    this.showTray();
    this.tray.querySelector(`[data-kind="${name}"]`)?.focus();
    this.mark();
  }

  get #forms() {
    return this.kinds.find((kind) => kind.name === this.#kind)?.ways ?? [];
  }

  turn() { this.#change((cells) => cells.map(([row, column]) => [column, -row])); }
  flip() { this.#change((cells) => cells.map(([row, column]) => [row, -column])); }

  #change(image) {
    const forms = this.#forms;
    if (!forms.length) return;
    const wanted = written(toCorner(image(forms[this.#form])));
    this.#form = Math.max(0, forms.findIndex((form) => written(form) === wanted));
    this.showTray();
    this.mark();
  }

  hover(cell) { this.#hovered = cell; this.mark(); }
  leave() { this.#hovered = null; this.mark(); }

  /** The cells of the piece in the hand, laid at a cell. */
  #laid(cell) {
    const form = this.#forms[this.#form];
    const [row, column] = placeOf(cell);
    // Held by the cell nearest its middle.
    const middle = [0, 1].map((axis) => form.reduce((sum, each) => sum + each[axis], 0) / form.length);
    const far = (each) => (each[0] - middle[0]) ** 2 + (each[1] - middle[1]) ** 2;
    const held = form.reduce((best, each) => far(each) < far(best) ? each : best);
    return form.map(([down, right]) => [row + down - held[0], column + right - held[1]]);
  }

  press(cell, dragged) {
    if (!this.isOn || this.view.finished || this.view.violations.length) return;
    if (this.#kind) {
      if (!dragged) this.#put(cell);
      return;
    }
    if (this.size === 1) {
      this.#chosen = [cell];
    } else if (this.#chosen.includes(cell)) {
      if (!dragged) this.#chosen = this.#chosen.filter((each) => each !== cell);
    } else if (this.#chosen.length < this.size) {
      this.#chosen.push(cell);
    }
    this.mark();
    if (this.#chosen.length === this.size) this.#try(this.#chosen, null);
  }

  drop() {
    // A drag that was too short is kept: the missing cells may be pressed.
    this.mark();
  }

  #put(cell) {
    const places = this.#laid(cell);
    const off = places.some(([row, column]) =>
      row < 0 || column < 0 || row >= this.view.rows || column >= this.view.columns);
    if (off) this.tell("The piece would stand off the board.", places.filter(([row, column]) =>
      row >= 0 && column >= 0 && row < this.view.rows && column < this.view.columns).map((each) => nameOf(...each)));
    else this.#try(places.map((each) => nameOf(...each)), this.#kind);
  }

  #try(cells, kind) {
    const wanted = [...cells].sort().join();
    const fits = this.view.legal.filter((each) =>
      [...each.cells].sort().join() === wanted && (!kind || each.kind === kind));
    if (fits.length === 1) this.playMove({ move: fits[0].move });
    else if (fits.length > 1) this.#ask(fits);
    else if (this.size === 1 && !kind) this.#refuse(cells);
    else this.playMove({ cells, kind: kind ?? "" });
    if (fits.length <= 1) this.#chosen = [];
  }

  #refuse(cells) {
    const any = this.kinds.find((kind) => (this.view.left[kind.name] ?? 0) > 0);
    this.playMove({ cells, kind: any?.name ?? this.kinds[0].name });
  }

  /** Several kinds of piece may go there: which? */
  #ask(fits) {
    const menu = el("div", { class: "which", role: "group", "aria-label": "Which piece?" },
      el("span", {}, `On ${fits[0].cells.join(", ")}:`),
      fits.map((each) => button(each.kind, () => this.playMove({ move: each.move }), { "data-move": each.move })));
    this.tray.prepend(menu);
    for (const old of [...this.tray.querySelectorAll(".which")].slice(1)) old.remove();
    menu.querySelector("button").focus();
  }

  key(key) {
    const kind = this.kinds.find((each) => each.letter.toLowerCase() === key.toLowerCase());
    if (key === "r" || key === "R") this.turn();
    else if (key === "f" || key === "F") this.flip();
    else if (key === "Escape") { this.#kind = null; this.#chosen = []; this.showTray(); this.mark(); }
    else if (kind) {
      this.#kind = this.#kind === kind.name ? null : kind.name;
      this.#form = 0;
      this.showTray();
      this.mark();
    } else return false;
    return true;
  }

  /** Shows a move's cells for a while, such as a candidate that is pointed at. */
  preview(cells) { this.#preview = cells ?? []; this.mark(); }

  /** The marks of the hand, with others that are to be shown below them. */
  mark(below = []) {
    if (!this.view || this.board.tool !== this) return;
    const marks = [...below];
    if (this.isOn && !this.view.finished) {
      const fits = this.view.legal.filter((each) =>
        (!this.#kind || each.kind === this.#kind) && this.#chosen.every((cell) => each.cells.includes(cell)));
      const can = new Set(fits.flatMap((each) => each.cells));
      if (this.size > 1) marks.push({ kind: "can", cells: [...can] });
      marks.push({ kind: "chosen", cells: this.#chosen });
      if (this.#kind && this.#hovered) {
        const inside = this.#laid(this.#hovered).filter(([row, column]) =>
          row >= 0 && column >= 0 && row < this.view.rows && column < this.view.columns);
        const cells = inside.map((each) => nameOf(...each));
        const wanted = [...cells].sort().join();
        const legal = fits.some((each) => [...each.cells].sort().join() === wanted);
        marks.push({ kind: legal ? "ghost" : "ghost wrong", cells });
      }
    }
    if (this.#preview.length) marks.push({ kind: "shown", cells: this.#preview });
    this.board.mark(marks);
  }
}

const toCorner = (cells) => {
  const top = Math.min(...cells.map((each) => each[0]));
  const left = Math.min(...cells.map((each) => each[1]));
  return cells.map(([row, column]) => [row - top, column - left]);
};

const written = (cells) => cells.map((each) => each.join()).sort().join(" ");

/** A small picture of a kind of piece. */
function miniature(kind, form) {
  if (kind.ways[0].length === 1) return el("span", { class: "counter-name" }, kind.letter);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 4 4");
  svg.setAttribute("aria-hidden", "true");
  const cells = kind.ways[form] ?? kind.ways[0];
  const high = Math.max(...cells.map((each) => each[0])) + 1;
  const wide = Math.max(...cells.map((each) => each[1])) + 1;
  for (const [row, column] of cells) {
    const square = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    square.setAttribute("x", column + (4 - wide) / 2);
    square.setAttribute("y", row + (4 - high) / 2);
    square.setAttribute("width", 1);
    square.setAttribute("height", 1);
    square.setAttribute("class", `fill-${kind.letter}`);
    svg.append(square);
  }
  return svg;
}
