// What the page is about: the tree of a game, where in it one is, and what is shown of that place.

import * as address from "./address.js";
import { latest } from "./dom.js";
import { Tree } from "./tree.js";

export class Store extends EventTarget {
  constructor(link, games) {
    super();
    this.link = link;
    this.games = games;
    this.tree = null;
    this.view = null;
    this.mode = "explore";
    this.heat = "";
    this.numbers = false;
    this.look = latest((fields) => link.ask("view", fields));
  }

  /** What is known of the game on the board. */
  get game() {
    return this.games.get(this.tree.game);
  }

  /** The place, as the server is asked about it. */
  get place() {
    return { start: this.tree.start, moves: this.tree.current.moves };
  }

  /** Puts another game on the board. */
  async load({ start, game, moves = [] }, at = "end") {
    const tree = new Tree(start, game, moves);
    if (at === "start") tree.current = tree.root;
    await this.show(tree);
  }

  async show(tree) {
    const before = this.tree;
    this.tree = tree;
    try {
      await this.refresh();
    } catch (problem) {
      this.tree = before;
      throw problem;
    }
    this.dispatchEvent(new Event("game"));
  }

  async go(node) {
    if (!node || node === this.tree.current) return;
    this.tree.current = node;
    await this.refresh();
  }

  /** Asks for what the place looks like, and shows it unless something newer is asked for. */
  async refresh() {
    this.dispatchEvent(new Event("leave"));
    const heat = this.games.get(this.tree.game)?.heats[this.heat] ? this.heat : "";
    const asked = { ...this.place, heat, numbers: this.numbers };
    const view = await this.look(asked);
    if (view === undefined) return;
    this.view = view;
    this.tree.game = view.game;
    address.write(this.tree, this.mode);
    this.dispatchEvent(new Event("view"));
  }

  /** Plays a move that is legal. */
  async play(move) {
    this.tree.add(move, this.view.to_move);
    await this.refresh();
  }

  /** Tries a move: played where it is legal, else the rules that it breaks. */
  async attempt(tried) {
    const found = await this.link.ask("play", { ...this.place, ...tried });
    if (found.illegal) return found.illegal;
    await this.play(found.move);
    return null;
  }

  setMode(mode) {
    this.mode = mode;
    address.write(this.tree, mode);
    this.dispatchEvent(new Event("mode"));
  }
}
