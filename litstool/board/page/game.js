// A game against the engine: sides, levels, a clock, and the review with its chart afterwards.

import { button, choice, drawing, el, line } from "./dom.js";

export class Game {
  #work = null;
  #timer = null;

  constructor(store, tell) {
    Object.assign(this, { store, tell });
    this.said = { side: "first", level: "quick", seconds: "1", minutes: "0" };
    this.current = null;
    store.addEventListener("leave", () => this.stop());
  }

  stop() {
    this.#work?.stop();
    this.#work = null;
  }

  leave() {
    this.stop();
    clearInterval(this.#timer);
  }

  panel() {
    const { said, store } = this;
    const set = (key) => (value) => { said[key] = value; };
    const seconds = line("Seconds a move (strong)", said.seconds, { type: "number", min: 0.1, max: 60, step: "any" });
    const minutes = line("Your clock in minutes, 0 for none", said.minutes, { type: "number", min: 0, max: 180, step: "any", id: "minutes" });
    seconds.input.addEventListener("change", () => set("seconds")(seconds.input.value));
    minutes.input.addEventListener("change", () => set("minutes")(minutes.input.value));
    const level = choice("The engine plays", store.game.levels, said.level, set("level"));
    level.input.id = "level";
    const side = choice("You are", [["first", "the first player"], ["second", "the second player"]], said.side, set("side"));
    side.input.id = "seat";
    this.body = el("div", { class: "answer" });
    this.reviewed = el("div", { class: "answer" });
    this.#tick();
    return [this.body, el("section", { class: "card", "aria-label": "Game" }, el("h2", {}, "A game against the engine"),
      el("div", { class: "fields" }, side.field, level.field, seconds.field, minutes.field),
      el("div", { class: "row wrap" },
        button("Begin", () => this.begin(false), { id: "begin", class: "main" }),
        button("From this position", () => this.begin(true), { id: "begin-here" }),
        button("Review the game", () => this.review(), { id: "review" }))), this.reviewed];
  }

  async begin(here) {
    const { store } = this;
    if (!here) await store.load({ start: store.tree.start, game: store.tree.game });
    const sides = store.game.sides;
    this.current = {
      seat: this.said.side, left: 60 * Number(this.said.minutes) || null, over: false,
      side: here && this.said.side ? store.game.sides[this.said.side === "first" ? 0 : 1] : sides[this.said.side === "first" ? 0 : 1],
    };
    this.#say("The game has begun.");
    this.#tick();
    await this.next();
  }

  /** The side that the person has now: a swap changes it. */
  get mySide() {
    const [first, second] = this.store.game.sides;
    const isFirst = (this.current.seat === "first") !== this.store.view.swapped;
    return isFirst ? first : second;
  }

  get isMyTurn() {
    return !this.current || this.store.view.to_move === this.mySide;
  }

  #say(words) {
    const { current } = this;
    const clock = current?.left === null || !current ? null : el("p", { class: "clock", id: "clock", role: "timer" }, this.#time());
    this.words = words;
    this.body.replaceChildren(el("section", { class: "card", "aria-label": "This game" },
      el("p", { class: "verdict", role: "status", id: "game-says" }, words), clock,
      el("div", { class: "row wrap" }, button("Take back", () => this.back(), { id: "take-back" }),
        button("Give up the game", () => this.end("The game was given up."), { id: "resign" }))));
  }

  #time() {
    const left = Math.max(0, Math.ceil(this.current.left));
    return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  }

  #tick() {
    clearInterval(this.#timer);
    let before = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      const { current } = this;
      if (current && !current.over && current.left !== null && this.isMyTurn) {
        current.left -= (now - before) / 1000;
        const clock = document.getElementById("clock");
        if (clock) clock.textContent = this.#time();
        if (current.left <= 0) this.end("Your time is up: the game is lost on time.");
      }
      before = now;
    }, 200);
  }

  end(words) {
    this.stop();
    if (this.current) this.current.over = true;
    this.#say(words);
  }

  async back() {
    const { tree } = this.store;
    let node = tree.current.parent;
    while (node?.parent && (tree.current.number - node.number) % 2) node = node.parent;
    if (!node) return;
    this.current.over = false;
    await this.store.go(node);
    this.#say("Taken back.");
    await this.next();
  }

  /** After each move: the engine's turn, the person's, or the end. */
  async next() {
    const { view, link } = this.store;
    if (!this.current || this.current.over) return;
    if (view.finished) {
      this.end(`The game is over: ${view.result}.`);
      return;
    }
    if (this.isMyTurn) {
      this.#say(`${this.words.startsWith("The engine") ? `${this.words} ` : ""}Your turn: you play ${this.mySide}.`);
      return;
    }
    this.#say("The engine thinks …");
    const at = this.store.tree.current;
    const fields = { ...this.store.place, level: this.said.level, seconds: Number(this.said.seconds) || 1, seed: Math.floor(Math.random() * 1e9) };
    const work = link.work("reply", fields, (part) => { if (part.compiling) this.#say("Compiling the engine, once on this machine …"); });
    this.#work = work;
    try {
      const { move } = await work.done;
      if (work !== this.#work || this.store.tree.current !== at) return;
      await this.store.play(move);
      this.#say(`The engine played ${move}.`);
      await this.next();
    } catch (problem) {
      if (work === this.#work) this.#say(problem.message);
    }
  }

  async play(tried) {
    if (this.current && !this.current.over && !this.isMyTurn) { this.tell("It is the engine's turn."); return null; }
    const illegal = await this.store.attempt(tried);
    if (!illegal) await this.next();
    return illegal;
  }

  async review() {
    this.stop();
    const end = this.store.tree.current.end;
    await this.store.go(end);
    const { place } = this.store;
    this.reviewed.replaceChildren(el("p", { class: "note", role: "status" }, "Reviewing, some ten seconds …"));
    const work = this.store.link.work("review", { ...place, seconds: 10 }, (part) => {
      if (part.moves) this.#reviewed(part, end);
    });
    this.#work = work;
    try { await work.done; } catch (problem) { this.reviewed.replaceChildren(el("p", { class: "problem" }, problem.message)); }
  }

  #reviewed(part, end) {
    const nodes = [];
    for (let node = end; node; node = node.parent) nodes.unshift(node);
    const go = (ply) => this.store.go(nodes[ply]);
    const chart = drawing(part.chart);
    chart.addEventListener("click", (event) => {
      const ply = event.target.dataset?.ply;
      if (ply) go(Number(ply));
    });
    const rows = part.moves.map((each) => el("li", {}, el("button", { type: "button", class: "move", onclick: () => go(each.number) },
      el("span", { class: "count" }, `${each.number}.`), el("span", { class: "notation" }, each.move),
      el("span", { class: each.exact ? "value exact" : "value" }, each.words),
      each.lost ? el("span", { class: "loss" }, `−${each.lost}`) : each.lost_chance ? el("span", { class: "loss" }, `−${Math.round(100 * each.lost_chance)} %`) : null,
      each.turned ? el("b", { class: "turned" }, "turned") : null),
    each.best.length ? el("p", { class: "note" }, `better: ${each.best.join(", ")}`) : null,
    each.remark ? el("p", { class: "note" }, each.remark) : null));
    this.reviewed.replaceChildren(el("section", { class: "card chart", "aria-label": "Review" }, el("h2", {}, "Review"),
      chart, el("ol", { class: "review" }, rows), el("p", { class: "note" }, part.analysis ?? "")));
  }
}
