// Setting up any position: letters put on cells, what else it says, and what is wrong as one draws.

import { button, choice, el, latest, line } from "./dom.js";
import { facts } from "./facts.js";
import { placeOf } from "./board.js";

export class Setup {
  constructor(store, board, tell) {
    Object.assign(this, { store, board, tell });
    this.letter = null;
    this.ask = latest((fields) => store.link.ask("set up", fields));
    this.changed = null;
    this.mode = "setup";
  }

  /** Begins with the position on the board. */
  async enter() {
    let found;
    try {
      found = await this.store.link.ask("grid", this.store.place);
    } catch (problem) {
      found = { game: this.store.tree.game, rows: ["....", "....", "....", "...."], keys: {} };
      this.tell(problem.message);
    }
    Object.assign(this, found);
    this.rows = [...found.rows];
    this.game = this.store.games.get(found.game);
    this.letter = this.game.letters[0].letter;
    return this.#panel();
  }

  get tool() {
    return {
      press: (cell) => this.#put(cell),
      key: (key) => {
        const letter = this.game.letters.find((each) => each.letter === key)
          ?? this.game.letters.find((each) => each.letter === key.toUpperCase());
        if (!letter) return false;
        this.#choose(letter.letter);
        return true;
      },
    };
  }

  #choose(letter) {
    this.letter = letter;
    for (const each of this.palette.children) {
      each.setAttribute("aria-pressed", String(each.dataset.letter === letter));
    }
  }

  #put(cell) {
    const [row, column] = placeOf(cell);
    const letters = [...this.rows[row]];
    const blank = this.game.letters.find((each) => each.letter === ".").letter;
    letters[column] = letters[column] === this.letter ? blank : this.letter;
    this.rows[row] = letters.join("");
    this.update();
  }

  #panel() {
    const { game } = this;
    this.palette = el("div", { class: "palette", role: "group", "aria-label": "What to put on a cell" },
      game.letters.map((each) => button(each.letter, () => this.#choose(each.letter), {
        "data-letter": each.letter, "aria-label": each.words, title: each.words,
        class: `letter fill-${each.letter}`, "aria-pressed": String(each.letter === this.letter),
      })));
    const sizes = el("div", { class: "row wrap" }, ...[
      ["Row added", 1, 0], ["Row removed", -1, 0], ["Column added", 0, 1], ["Column removed", 0, -1],
    ].map(([words, rows, columns]) => button(
      `${rows + columns > 0 ? "+" : "−"} ${rows ? "row" : "column"}`, () => this.#resize(rows, columns), { "aria-label": words })));
    const keys = game.keys.map((key) => this.#field(key));
    const clear = el("div", { class: "row wrap" },
      button("Remove pieces", () => this.#sweep((letter) => game.letters.some((each) => each.is_piece && each.letter === letter))),
      button("Clear all", () => this.#sweep((letter) => letter !== "#")),
      button("Use this position", () => this.use(), { id: "use", class: "main" }));
    this.said = el("div", { id: "setup-said" });
    this.panel = [el("section", { class: "card", "aria-label": "Set up" }, el("h2", {}, "Set up a position"),
      this.palette, sizes, el("div", { class: "fields" }, keys), clear), this.said];
    this.update();
    return this.panel;
  }

  #field(key) {
    const set = (value) => { this.keys[key.key] = value; this.update(); };
    if (key.choices.length) {
      const made = choice(key.words, key.choices.map((each) => [each, each || "by the pieces"]), this.keys[key.key] ?? key.usual, set);
      made.input.dataset.key = key.key;
      return made.field;
    }
    if (!key.numbers.length) {
      const made = line(key.words, this.keys[key.key] ?? "", { "data-key": key.key });
      made.input.addEventListener("change", () => set(made.input.value));
      return made.field;
    }
    const counts = Object.fromEntries(key.numbers.map((name) => [name, key.usual]));
    for (const word of (this.keys[key.key] ?? "").split(/[\s,]+/)) {
      const name = key.numbers.find((each) => word.startsWith(each));
      if (name) counts[name] = word.slice(name.length);
    }
    const inputs = key.numbers.map((name) => {
      const made = line(name, counts[name], { type: "number", min: 0, max: 20, "data-key": `${key.key}-${name}` });
      made.input.addEventListener("change", () => {
        counts[name] = made.input.value || key.usual;
        set(key.numbers.map((each) => each + counts[each]).join(" "));
      });
      return made.field;
    });
    return el("fieldset", { class: "numbers" }, el("legend", {}, key.words), inputs);
  }

  #resize(rows, columns) {
    const { least_side: least, most_side: most } = this.game;
    const wide = this.rows[0].length + columns, high = this.rows.length + rows;
    if (high < least || high > most || wide < least || wide > most) {
      this.tell(`A side has ${least} to ${most} cells.`);
      return;
    }
    if (rows > 0) this.rows.push(".".repeat(wide));
    if (rows < 0) this.rows.pop();
    if (columns) this.rows = this.rows.map((row) => columns > 0 ? `${row}.` : row.slice(0, -1));
    this.update();
  }

  #sweep(goes) {
    this.rows = this.rows.map((row) => [...row].map((letter) => goes(letter) ? "." : letter).join(""));
    this.update();
  }

  /** Draws the grid as it is now, with what is wrong with it. */
  async update() {
    try {
      const found = await this.ask({ game: this.game.game, rows: this.rows, keys: this.keys });
      if (!found || this.store.mode !== this.mode) return;
      this.found = found;
      this.board.show(found);
      this.board.mark([{ kind: "wrong", cells: found.violations.flatMap((each) => each.cells) }]);
      this.said.replaceChildren(facts({ ...found, legend: [] }));
      this.changed?.(found);
    } catch (problem) {
      this.tell(problem.message);
    }
  }

  /** Takes the position that was set up to play from. */
  async use() {
    await this.update();
    if (!this.found?.start) {
      this.tell(this.found?.problem ?? "There is no position yet.");
      return;
    }
    await this.store.load({ start: this.found.start, game: this.game.game });
    this.store.setMode("explore");
  }
}
