// Questions: cells are marked with what they must be, and the answer is a play to step through.

import { button, el } from "./dom.js";
import { fields } from "./forms.js";
import { nameOf, placeOf } from "./board.js";

export class Ask {
  #work = null;

  constructor(store, board, tell) {
    Object.assign(this, { store, board, tell });
    this.marks = new Map();
    this.said = {};
    this.letter = "+";
    store.addEventListener("leave", () => this.stop());
    store.addEventListener("game", () => { this.marks.clear(); this.said = {}; });
  }

  get tool() {
    return {
      press: (cell, dragged) => this.#put(cell, dragged),
      key: (key) => {
        const letter = this.store.game.asked.find((each) => each.letter === key)
          ?? this.store.game.asked.find((each) => each.letter === key.toUpperCase());
        if (letter) this.#choose(letter.letter);
        return Boolean(letter);
      },
    };
  }

  #choose(letter) {
    this.letter = letter;
    for (const each of this.palette.children) each.setAttribute("aria-pressed", String(each.dataset.letter === letter));
  }

  #put(cell, dragged) {
    if (this.letter === "?" || (!dragged && this.marks.get(cell) === this.letter)) this.marks.delete(cell);
    else this.marks.set(cell, this.letter);
    this.mark();
  }

  mark() {
    const marks = [...this.marks].flatMap(([cell, letter]) => [
      { kind: letter === "!" ? "wrong" : "asked", cells: [cell] }, { kind: "asked", cells: [cell], text: letter }]);
    this.board.mark(marks);
    for (const [cell, letter] of this.marks) {
      const at = this.board.grid.querySelector(`[data-cell="${cell}"]`);
      const words = this.store.game.asked.find((each) => each.letter === letter)?.words;
      at?.setAttribute("aria-label", `${at.getAttribute("aria-label").split("; asked")[0]}; asked: ${words}`);
    }
  }

  stop() {
    this.#work?.stop();
    this.#work = null;
  }

  panel() {
    const { game } = this.store;
    if (!game.asked.some((each) => each.letter === this.letter)) this.letter = "+";
    this.palette = el("div", { class: "palette", role: "group", "aria-label": "What a cell must be" },
      game.asked.map((each) => button(each.letter, () => this.#choose(each.letter), {
        "data-letter": each.letter, "aria-label": each.words, title: each.words, class: "letter",
        "aria-pressed": String(each.letter === this.letter) })));
    this.answer = el("div", { class: "answer", role: "status" });
    this.mark();
    return [el("section", { class: "card", "aria-label": "Ask" },
      el("h2", {}, "Can play lead there?"),
      el("p", { class: "note" }, "Choose what cells must be and press them; then say what else must hold. The position on the board is where play begins."),
      this.palette, fields(game.conditions, this.said),
      el("div", { class: "row wrap" }, button("Ask", () => this.ask(), { id: "ask", class: "main" }),
        button("Stop", () => { this.stop(); this.answer.textContent = "Stopped."; }, { id: "ask-stop" }),
        button("Clear the marks", () => { this.marks.clear(); this.store.refresh(); }))), this.answer];
  }

  #target() {
    const { view } = this.store;
    const rows = Array.from({ length: view.rows }, (_, row) => Array.from({ length: view.columns }, (_, column) =>
      nameOf(row, column) in view.cells ? "?" : "#"));
    for (const [cell, letter] of this.marks) {
      const [row, column] = placeOf(cell);
      if (rows[row]?.[column] === "?") rows[row][column] = letter;
    }
    return rows.map((row) => row.join(""));
  }

  async ask() {
    this.stop();
    this.answer.textContent = "Looking for an answer …";
    const work = this.store.link.work("reach", { ...this.store.place, target: this.#target(), conditions: this.said }, (part) => {
      if (!part.lines) return;
      const at = this.store.tree.current;
      this.answer.replaceChildren(el("section", { class: "card", "aria-label": "Answer" },
        part.lines.map((words, index) => el("p", index ? {} : { class: "verdict" }, words)),
        part.moves.length ? el("p", {}, `${part.moves.length} moves: `, el("span", { class: "notation" }, part.moves.join(" "))) : null,
        part.moves.length ? button("Step through it", async () => {
          const first = this.store.tree.graft(at, part.moves);
          this.store.setMode("explore");
          await this.store.go(first);
        }, { id: "step-through", class: "main" }) : null,
        el("p", { class: "note" }, part.effort)));
    });
    this.#work = work;
    try { await work.done; } catch (problem) { if (work === this.#work) this.answer.replaceChildren(el("p", { class: "problem" }, problem.message)); }
  }
}
