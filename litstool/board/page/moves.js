// The tree of moves: the main line with its variations, and the buttons that step through it.

import { button, el, toggle } from "./dom.js";

const ICONS = {
  first: "M6 5v14M18 5l-8 7 8 7z", back: "M15 5l-8 7 8 7z",
  on: "M9 5l8 7-8 7z", last: "M18 5v14M6 5l8 7-8 7z",
};

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

export class Moves {
  constructor(store, steps) {
    this.store = store;
    this.goes = {
      first: () => store.go(store.tree.root),
      back: () => store.go(store.tree.current.parent),
      on: () => store.go(store.tree.current.children[0]),
      last: () => store.go(store.tree.current.end),
    };
    const words = {
      first: ["First position", "Home"], back: ["Take back", "left arrow"],
      on: ["Forward", "right arrow"], last: ["Last position", "End"],
    };
    this.buttons = Object.entries(this.goes).map(([name, go]) => {
      const made = button("", go, {
        "data-go": name, "aria-label": words[name][0], title: `${words[name][0]} (${words[name][1]})`,
      });
      made.append(icon(name));
      return made;
    });
    steps.className = "controls";
    steps.setAttribute("role", "group");
    steps.setAttribute("aria-label", "Step through the game");
    steps.append(...this.buttons);
    this.list = el("div", { class: "tree" });
    this.actions = el("div", { class: "row" });
    this.section = el("section", { class: "card moves", "aria-label": "Moves" },
      el("h2", {}, "Moves"), this.list, this.actions);
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, dialog, [role=grid]")) return;
    const go = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    if (!go || !this.store.tree) return;
    this.goes[go]();
    event.preventDefault();
  }

  show() {
    const { tree } = this.store;
    const [first, back, on, last] = this.buttons;
    for (const each of [first, back]) each.setAttribute("aria-disabled", String(!tree.current.parent));
    for (const each of [on, last]) each.setAttribute("aria-disabled", String(!tree.current.children.length));
    const list = el("ol", { class: "line" }, this.#item(tree.root, "Start"), this.#line(tree.root));
    this.list.replaceChildren(list);
    const here = list.querySelector("[aria-current]");
    if (here) {
      const box = this.list.getBoundingClientRect(), at = here.getBoundingClientRect();
      if (at.top < box.top) this.list.scrollTop -= box.top - at.top;
      else if (at.bottom > box.bottom) this.list.scrollTop += at.bottom - box.bottom;
    }
    const node = tree.current;
    const isSide = [...this.#way(node)].some((each) => each.parent && each.parent.children[0] !== each);
    this.actions.replaceChildren(...[
      isSide && button("Make main line", () => { tree.promote(node); this.store.refresh(); }),
      node.parent && button("Remove from here", () => { tree.remove(node); this.store.refresh(); }),
    ].filter(Boolean));
  }

  * #way(node) {
    for (let each = node; each; each = each.parent) yield each;
  }

  #item(node, words) {
    const current = node === this.store.tree.current;
    return el("li", {}, el("button", {
      type: "button", class: "move", "data-node": String(node.id), "data-move": node.move ?? "",
      "aria-current": current ? "step" : null, onclick: () => this.store.go(node),
    }, el("span", { class: "count" }, node.number ? `${node.number}.` : ""),
    node.side ? el("b", { class: `side side-${this.store.game.sides.indexOf(node.side)}` }, node.side[0]) : null,
    el("span", { class: "notation" }, words ?? node.move)));
  }

  /** The items after a node: the main move, then the variations beside it, then what follows. */
  #line(node) {
    const items = [];
    for (let at = node; at.children.length; at = at.children[0]) {
      const [main, ...others] = at.children;
      items.push(this.#item(main));
      for (const other of others) {
        items.push(el("li", { class: "beside" },
          el("ol", { class: "line", "aria-label": `Variation: ${other.move}` },
            this.#item(other), this.#line(other))));
      }
    }
    return items;
  }
}

/** The switches of how the board is shown. */
export function shown(store) {
  const heats = Object.entries(store.game.heats);
  const row = el("div", { class: "row wrap" },
    toggle("Number the pieces", store.numbers, (on) => { store.numbers = on; store.refresh(); }).field);
  if (heats.length) {
    const select = el("select", { id: "heat", "aria-label": "Heat map", onchange: () => { store.heat = select.value; store.refresh(); } },
      el("option", { value: "" }, "No heat map"),
      heats.map(([name, words]) => el("option", { value: name, title: words, selected: store.heat === name }, `Heat: ${name}`)));
    row.append(select);
  }
  return row;
}
