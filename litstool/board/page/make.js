// Boards made at random by a recipe, or edited by hand, with the balance report beside.

import { button, el, latest } from "./dom.js";
import { fields } from "./forms.js";

export class Make {
  #work = null;

  constructor(store, setup, tell) {
    Object.assign(this, { store, setup, tell });
    this.said = {};
    this.report = latest((start) => store.link.ask("report", { start }));
  }

  stop() {
    this.#work?.stop();
    this.#work = null;
  }

  panel(editor) {
    const { game } = this.store;
    if (this.game !== game.game) { this.game = game.game; this.said = {}; }
    this.seed = el("input", { type: "number", min: 0, value: String(Math.floor(Math.random() * 1e6)), id: "seed" });
    this.told = el("dl", { class: "facts", id: "report" });
    this.status = el("p", { class: "note", role: "status" });
    this.setup.changed = (found) => { if (found.start) this.tellOf(found.start); };
    return [el("section", { class: "card", "aria-label": "Make a board" }, el("h2", {}, "Make a board"),
      game.recipe.length ? fields(game.recipe, this.said) : null,
      el("label", { class: "field" }, el("span", {}, "Seed"), this.seed),
      el("div", { class: "row wrap" }, button("Make", () => this.make(), { id: "make", class: "main" }),
        button("Another", () => { this.seed.value = String(Math.floor(Math.random() * 1e6)); this.make(); }, { id: "another" })), this.status),
    el("section", { class: "card", "aria-label": "Balance" }, el("h2", {}, "Balance"), this.told), ...editor];
  }

  async tellOf(start) {
    try {
      const found = await this.report(start);
      if (found) this.told.replaceChildren(...found.report.map(([label, words]) => el("div", {}, el("dt", {}, label), el("dd", {}, words))));
    } catch (problem) {
      this.tell(problem.message);
    }
  }

  async make() {
    this.stop();
    this.status.textContent = "Making a board …";
    const seed = Math.max(0, Math.floor(Number(this.seed.value) || 0));
    const work = this.store.link.work("make", { game: this.store.game.game, recipe: this.said, seed }, async (part) => {
      if (!part.start) return;
      const { rows, keys } = await this.store.link.ask("grid", { start: part.start });
      this.setup.rows = rows;
      this.setup.keys = keys;
      await this.setup.update();
      this.status.textContent = `Made with seed ${part.seed}.`;
    });
    this.#work = work;
    try { await work.done; } catch (problem) { if (work === this.#work) this.status.textContent = problem.message; }
  }
}
