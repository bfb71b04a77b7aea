// The page: puts its parts together and hands the board to what is being done.

import * as address from "./address.js";
import { Analysis } from "./analysis.js";
import { Ask } from "./ask.js";
import { Board } from "./board.js";
import { button, el, find } from "./dom.js";
import { facts } from "./facts.js";
import { Files } from "./files.js";
import { Game } from "./game.js";
import { Hand } from "./hand.js";
import { Link } from "./link.js";
import { Make } from "./make.js";
import { Moves, shown } from "./moves.js";
import { Puzzles } from "./puzzles.js";
import { Setup } from "./setup.js";
import { Store } from "./store.js";
import { Tree } from "./tree.js";

const link = new Link();
const told = find("told");
let marked = [];

function tell(words, cells = []) {
  told.textContent = words;
  marked = cells;
  if (page) page.mark();
}

class Page {
  constructor(hello) {
    const games = new Map(hello.games.map((game) => [game.game, game]));
    this.store = new Store(link, games);
    this.board = new Board(find("stage"));
    this.hand = new Hand(this.store, this.board, find("tray"), { play: (tried) => this.play(tried), tell });
    this.moves = new Moves(this.store, find("steps"));
    this.analysis = new Analysis(this.store, this.hand, find("worth"));
    this.files = new Files(this.store, tell);
    this.setup = new Setup(this.store, this.board, tell);
    this.ask = new Ask(this.store, this.board, tell);
    this.make = new Make(this.store, this.setup, tell);
    this.puzzles = new Puzzles(this.store, this.hand, tell);
    this.game = new Game(this.store, tell);
    this.modes = {
      explore: { title: "Explore", enter: () => this.explore() },
      play: { title: "Play", enter: () => this.against() },
      puzzles: { title: "Puzzles", enter: () => this.solve() },
      ask: { title: "Ask", enter: () => this.question() },
      setup: { title: "Set up", enter: () => this.edit() },
      make: { title: "Boards", enter: () => this.boards() },
    };
    this.store.addEventListener("view", () => this.show());
    this.store.addEventListener("game", () => { if (["setup", "make", "ask"].includes(this.store.mode)) this.store.setMode("explore"); });
    this.store.addEventListener("mode", () => this.enter());
    find("modes").append(...Object.entries(this.modes).map(([name, { title }]) =>
      button(title, () => this.store.setMode(name), { "data-mode": name })));
  }

  mark() {
    this.hand.mark(marked.length ? [{ kind: "wrong", cells: marked }] : []);
  }

  /** Plays a move, or says which rule it breaks and where. */
  async play(tried) {
    try {
      const player = { play: this.game, puzzles: this.puzzles }[this.store.mode];
      const illegal = await (player ? player.play(tried) : this.store.attempt(tried));
      if (illegal) {
        tell(illegal.map((each) => `${each.rule}: ${each.message}`).join("; "), illegal.flatMap((each) => each.cells));
      }
    } catch (problem) {
      tell(problem.message);
    }
  }

  async enter() {
    for (const each of find("modes").children) {
      each.setAttribute("aria-current", String(each.dataset.mode === this.store.mode));
    }
    this.analysis.stop();
    this.ask.stop();
    this.puzzles.stop();
    this.make.stop();
    this.game.leave();
    this.setup.changed = null;
    tell("");
    const mode = this.modes[this.store.mode] ?? this.modes.explore;
    await mode.enter();
  }

  explore() {
    this.#table(true, [this.analysis.section], true);
  }

  /** The board to play on, with some tools beside; analysis only where it gives nothing away. */
  #table(analysed, tools, switches = false) {
    this.board.tool = this.hand;
    this.hand.isOn = true;
    this.analysis.isAllowed = analysed;
    find("steps").hidden = false;
    this.facts = el("div");
    const shows = switches ? [el("section", { class: "card", "aria-label": "View" }, shown(this.store))] : [];
    find("side").replaceChildren(...tools, this.facts, this.moves.section, ...shows);
    this.show();
  }

  against() {
    this.#table(false, this.game.panel());
    if (this.game.current) this.game.next();
  }

  async solve() {
    const tools = await this.puzzles.panel();
    this.puzzles.current = null;
    this.#table(false, tools);
  }

  question() {
    find("tray").replaceChildren();
    find("steps").hidden = false;
    find("worth").hidden = true;
    this.board.tool = this.ask.tool;
    this.board.show(this.store.view);
    find("side").replaceChildren(...this.ask.panel(), this.moves.section);
  }

  async #editor(mode, panel) {
    find("tray").replaceChildren();
    find("steps").hidden = true;
    find("worth").hidden = true;
    this.setup.mode = mode;
    const editor = await this.setup.enter();
    this.board.tool = this.setup.tool;
    find("side").replaceChildren(...panel(editor));
  }

  edit() {
    return this.#editor("setup", (editor) => editor);
  }

  boards() {
    return this.#editor("make", (editor) => this.make.panel(editor));
  }

  /** Shows the position that has come up. */
  show() {
    const { view, game } = this.store;
    document.body.className = `board-app sides-${game.sides.join("-").toLowerCase()}`;
    document.title = `${view.name ?? game.title} – litstool board`;
    if (this.store.mode === "setup" || this.store.mode === "make") return;
    if (this.store.mode === "ask") {
      this.board.show(view);
      this.ask.mark();
      this.moves.show();
      return;
    }
    marked = [];
    told.textContent = view.finished ? `The game is over: ${view.result}` : "";
    this.board.show(view);
    this.hand.reset();
    this.facts?.replaceChildren(facts(view));
    this.moves.show();
    this.analysis.show();
  }
}

let page = null;

async function begin() {
  const hello = await link.ask("hello");
  page = new Page(hello);
  // For whoever looks at it with the browser's own tools, and for tests.
  window.litstool = page;
  const { store } = page;
  const said = address.read();
  try {
    if (said && !(hello.first && !said.start)) {
      const { records: [record] } = await link.ask("open", { text: said.start, name: "the address" });
      const tree = Tree.read(record.start, record.game, said.moves);
      await store.show(tree);
    } else {
      await store.load(hello.first ?? (await link.ask("open", { text: "boxes", name: "boxes" })).records[0]);
    }
  } catch (problem) {
    await store.load((await link.ask("open", { text: "boxes", name: "boxes" })).records[0]);
    queueMicrotask(() => tell(problem.message));
  }
  store.mode = said?.mode in page.modes ? said.mode : "explore";
  await page.enter();
  document.body.dataset.ready = "true";
}

link.addEventListener("close", () => {
  told.textContent = "The server has ended. Start litstool board again and open the address that it prints.";
});

begin().catch((problem) => { told.textContent = problem.message; });
window.addEventListener("hashchange", () => location.reload());
