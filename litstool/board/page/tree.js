// A game as a tree: a start, moves, and other moves that were tried beside them.

let made = 0;

class Node {
  constructor(move, parent, side) {
    this.move = move;
    this.parent = parent;
    this.side = side;
    this.children = [];
    this.number = parent ? parent.number + 1 : 0;
    this.id = ++made;
  }

  /** The moves from the start to here. */
  get moves() {
    return this.parent ? [...this.parent.moves, this.move] : [];
  }

  /** The end of the main line from here. */
  get end() {
    return this.children.length ? this.children[0].end : this;
  }
}

export class Tree {
  constructor(start, game, moves = []) {
    this.start = start;
    this.game = game;
    this.root = new Node(null, null, null);
    this.current = this.root;
    for (const move of moves) this.add(move);
  }

  /** Goes to a move after the current one, made where it is new. */
  add(move, side = null) {
    let child = this.current.children.find((each) => each.move === move);
    if (!child) {
      child = new Node(move, this.current, side);
      this.current.children.push(child);
    }
    child.side ??= side;
    this.current = child;
    return child;
  }

  /** Adds a line from a place without going there; its first node. */
  graft(at, moves) {
    const here = this.current;
    this.current = at;
    let first = null;
    for (const move of moves) first = this.add(move) && (first ?? this.current);
    this.current = here;
    return first;
  }

  find(id) {
    const look = (node) => node.id === id ? node : node.children.map(look).find(Boolean);
    return look(this.root);
  }

  /** Makes a variation the main line at the place where it leaves it. */
  promote(node) {
    for (let each = node; each.parent; each = each.parent) {
      const siblings = each.parent.children;
      if (siblings[0] === each) continue;
      siblings.splice(siblings.indexOf(each), 1);
      siblings.unshift(each);
      return;
    }
  }

  /** Removes a move and all that follows it. */
  remove(node) {
    if (!node.parent) return;
    const siblings = node.parent.children;
    siblings.splice(siblings.indexOf(node), 1);
    for (let each = this.current; each; each = each.parent) {
      if (each === node) this.current = node.parent;
    }
  }

  /** The whole tree as a text for the address: moves, with variations in brackets. */
  written() {
    const write = (node) => {
      if (!node.children.length) return "";
      const [main, ...others] = node.children;
      const told = (child) => child.move + (child === this.current ? "*" : "");
      const beside = others.map((child) => `(${told(child)} ${write(child)})`.replace(" )", ")"));
      return [told(main), ...beside, write(main)].filter(Boolean).join(" ");
    };
    return write(this.root);
  }

  /** Reads what `written` wrote. */
  static read(start, game, text) {
    const tree = new Tree(start, game);
    let current = tree.root;
    const waiting = [];
    const words = text.match(/[()]|[^\s()]+/g) ?? [];
    let before = null;
    for (const word of words) {
      if (word === "(") {
        waiting.push(tree.current);
        tree.current = (before ?? tree.current).parent ?? tree.root;
      } else if (word === ")") {
        tree.current = waiting.pop() ?? tree.current;
        before = tree.current;
      } else {
        before = tree.add(word.replace(/\*$/, ""));
        if (word.endsWith("*")) current = before;
      }
    }
    tree.current = current;
    return tree;
  }
}
