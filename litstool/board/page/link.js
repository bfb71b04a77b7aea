// The conversation with the server: questions with a number each, and works that can be stopped.

export class Refused extends Error {
  constructor(problem) {
    super(problem.message);
    this.kind = problem.kind;
    this.violations = problem.violations ?? [];
  }
}

export class Link extends EventTarget {
  #socket = null;
  #waiting = new Map();
  #number = 0;
  #opened = null;

  /** Opens the conversation, again where it was broken off. */
  open() {
    this.#opened ??= new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://${location.host}/talk`);
      socket.onopen = () => {
        this.#socket = socket;
        this.dispatchEvent(new Event("open"));
        resolve();
      };
      socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
      socket.onclose = () => {
        this.#socket = null;
        this.#opened = null;
        for (const each of this.#waiting.values()) {
          each.reject(new Refused({ kind: "gone", message: "The server does not answer." }));
        }
        this.#waiting.clear();
        this.dispatchEvent(new Event("close"));
        reject(new Refused({ kind: "gone", message: "The server does not answer." }));
      };
    });
    return this.#opened;
  }

  #hear(message) {
    const asked = this.#waiting.get(message.id);
    if (!asked) return;
    if (message.part) {
      asked.onPart?.(message.part);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.error) asked.reject(new Refused(message.error));
    else asked.resolve(message.done);
  }

  /** The answer to a question. */
  ask(name, fields = {}) {
    return this.work(name, fields).done;
  }

  /** Begins a work: its parts are handed on as they come; `stop` ends it. */
  work(name, fields, onPart) {
    const id = ++this.#number;
    let stopped = false;
    const done = this.open().then(() => new Promise((resolve, reject) => {
      if (stopped) return;
      this.#waiting.set(id, { resolve, reject, onPart });
      this.#socket.send(JSON.stringify({ id, ask: name, with: fields }));
    }));
    const stop = () => {
      stopped = true;
      if (this.#waiting.delete(id)) this.#socket?.send(JSON.stringify({ stop: id }));
    };
    return { done, stop };
  }
}
