// Puzzles: one move at a time against the best reply, with hints; what is solved is remembered.

import { button, el, remember, remembered } from "./dom.js";

export class Puzzles {
  #work = null;

  constructor(store, hand, tell) {
    Object.assign(this, { store, hand, tell });
    this.solved = new Set(remembered("solved", []));
    this.current = null;
    store.addEventListener("leave", () => this.stop());
  }

  stop() {
    this.#work?.stop();
    this.#work = null;
  }

  async panel() {
    this.list ??= (await this.store.link.ask("puzzles")).puzzles;
    this.body = el("div", { class: "answer" });
    const input = el("input", { type: "file", id: "puzzle-file", "aria-label": "A puzzle's file", onchange: async () => {
      const [file] = input.files;
      if (file) this.open({ name: file.name, text: await file.text() });
    } });
    this.chosen = el("div", { class: "puzzle-list" });
    this.#listAll();
    return [this.body, el("section", { class: "card", "aria-label": "Puzzles" }, el("h2", {}, "Puzzles"), this.chosen,
      el("label", { class: "field" }, el("span", {}, "Or any file"), input),
      button("The position on the board", () => this.open({ name: "the board", text: this.store.tree.start, moves: this.store.place.moves }), { id: "puzzle-here" }))];
  }

  #listAll() {
    const grades = new Map();
    for (const each of this.list) grades.set(each.grade ?? "not graded", [...(grades.get(each.grade ?? "not graded") ?? []), each]);
    this.chosen.replaceChildren(...[...grades].map(([grade, all], index) => {
      const done = all.filter((each) => this.solved.has(each.name)).length;
      return el("details", { open: index === 0 }, el("summary", {}, `${grade}: ${done} of ${all.length} solved`),
        el("div", { class: "row wrap" }, all.map((each) => button(
          `${each.name.replace("puzzle-", "")}${this.solved.has(each.name) ? " ✓" : ""}`, () => this.open({ name: each.name }),
          { "data-puzzle": each.name, "aria-label": `${each.name}, ${each.label}${this.solved.has(each.name) ? ", solved" : ""}`, title: each.label }))));
    }));
  }

  async open({ name, text = null, moves = null }) {
    try {
      const puzzle = await this.store.link.ask("puzzle", text === null ? { name } : { name, text });
      if (moves) puzzle.moves = moves;
      this.current = { ...puzzle, name: text === null ? name : null, hints: 0, failed: false };
      await this.store.load(puzzle);
      this.store.tree.puzzle = this.store.tree.current;
      this.side = this.store.view.to_move;
      this.#show(`${this.side} to move and ${puzzle.saves_draw ? "save the draw" : "win"}.`);
    } catch (problem) {
      this.tell(problem.message);
    }
  }

  #show(words, kind = "") {
    const { current } = this;
    this.body.replaceChildren(el("section", { class: "card", "aria-label": "Puzzle" },
      el("h2", {}, current.label), el("p", { class: `verdict ${kind}`, role: "status", id: "puzzle-says" }, words),
      el("div", { class: "row wrap" },
        button("Hint", () => this.hint(), { id: "hint" }),
        button("Solution", () => this.solution(), { id: "solution" }),
        button("Again", () => this.open(current.name ? { name: current.name } : { name: current.label, text: current.start, moves: current.moves }), { id: "again" }),
        this.#next())));
  }

  #next() {
    const at = this.list.findIndex((each) => each.name === this.current.name);
    const next = at < 0 ? null : this.list[at + 1];
    return next && button("Next", () => this.open({ name: next.name }), { id: "next" });
  }

  /** A move of the one who solves: judged, and answered where it holds. */
  async play(tried) {
    if (!this.current) return this.store.attempt(tried);
    if (this.store.view.to_move !== this.side) { this.tell("It is the other side's turn: take back first."); return null; }
    const place = this.store.place;
    const found = await this.store.link.ask("play", { ...place, ...tried });
    if (found.illegal) return found.illegal;
    await this.store.play(found.move);
    this.#show("Is that it? …");
    const judged = await this.#do("judge", { ...place, move: found.move });
    if (!judged) return null;
    if (!judged.right) {
      this.current.failed = true;
      if (judged.reply) await this.store.play(judged.reply);
      this.#show(`No: after that, ${judged.words[0].toLowerCase() === judged.words[0] ? judged.words : judged.words}. Take back and try another.`, "loss");
    } else if (judged.finished) {
      this.#won();
    } else {
      await this.store.play(judged.reply);
      if (this.store.view.finished) this.#won();
      else this.#show(`Right. The best reply is ${judged.reply}. Go on.`);
    }
    return null;
  }

  #won() {
    if (this.current.name) {
      this.solved.add(this.current.name);
      remember("solved", [...this.solved]);
      this.#listAll();
    }
    this.#show(`Solved${this.current.hints ? `, with ${this.current.hints} hint${this.current.hints > 1 ? "s" : ""}` : ""}. ${this.store.view.result ?? ""}`);
  }

  /** The outcome of a work, or null where it was stopped; what goes wrong is said. */
  async #do(name, fields) {
    this.stop();
    const work = this.store.link.work(name, fields, (part) => { if (part.compiling) this.#show("Compiling the solver, once on this machine …"); });
    this.#work = work;
    try {
      return await work.done;
    } catch (problem) {
      if (work === this.#work) this.#show(problem.message, "loss");
      return null;
    }
  }

  async #line() {
    const at = this.store.place.moves.slice(this.current.moves.length).join(" ");
    const known = this.current.lines.find((each) => each.join(" ").startsWith(at) && each.length > this.store.place.moves.length - this.current.moves.length);
    if (known) return known.slice(this.store.place.moves.length - this.current.moves.length);
    return (await this.#do("solution", this.store.place))?.line ?? null;
  }

  /** First the kind of piece, then where it goes. */
  async hint() {
    const move = (await this.#line())?.[0];
    if (!move) return;
    const legal = this.store.view.legal.find((each) => each.move === move);
    this.current.hints += 1;
    if (this.current.hints % 2) this.#show(`Look for a piece of the kind ${legal?.kind ?? move}.`);
    else {
      this.#show(`It covers ${legal?.cells.slice(0, 2).join(" and ") ?? move}.`);
      this.hand.preview(legal?.cells.slice(0, 2) ?? []);
    }
  }

  /** The whole solution, as variations of the tree. */
  async solution() {
    const root = this.store.tree.puzzle;
    const { lines } = this.current;
    if (lines.length) for (const each of lines) this.store.tree.graft(root, each);
    else {
      await this.store.go(root);
      const found = await this.#do("solution", this.store.place);
      if (!found) return;
      this.store.tree.graft(root, found.line);
    }
    await this.store.go(root);
    await this.store.refresh();
    this.#show("The solution is in the moves: step through it.");
  }
}
