// Opening, pasting, dropping, saving and copying: every notation that the library reads.

import { button, choice, el, find } from "./dom.js";

const MOST_BYTES = 256 * 1024;

/** A dialog with a heading; closed by its button, Escape or what it does. */
export function dialog(title, ...children) {
  const box = el("dialog", { "aria-label": title },
    el("form", { method: "dialog", class: "heading" }, el("h2", {}, title),
      el("button", { "aria-label": "Close" }, "✕")), ...children);
  box.addEventListener("close", () => box.remove());
  find("dialogs").append(box);
  box.showModal();
  return box;
}

export class Files {
  constructor(store, tell) {
    Object.assign(this, { store, tell });
    find("new").addEventListener("click", () => this.askNew());
    find("open").addEventListener("click", () => this.askOpen());
    find("save").addEventListener("click", () => this.askSave());
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file) this.file(file);
      else this.text(event.dataTransfer.getData("text/plain"), "what was dropped");
    });
    document.addEventListener("paste", (event) => {
      if (event.target.closest("input, textarea")) return;
      const [file] = event.clipboardData.files;
      if (file) this.file(file);
      else this.text(event.clipboardData.getData("text/plain"), "what was pasted");
    });
  }

  askNew() {
    const boards = [...this.store.games.values()].map((game) => {
      const names = Object.keys(game.boards);
      const pick = choice("Board", names, names[0]);
      pick.input.dataset.game = game.game;
      return el("section", {}, el("h3", {}, game.title), el("div", { class: "row" }, pick.field,
        button("Begin", async () => {
          box.close();
          await this.text(game.boards[pick.input.value], pick.input.value);
        }, { "data-begin": game.game })));
    });
    const box = dialog("New game", ...boards);
  }

  askOpen() {
    const area = el("textarea", { rows: 10, id: "paste", "aria-label": "A position or a game", placeholder:
      "Paste a position or a game here: a grid, one line, YAML, JSON, a game line …" });
    const input = el("input", { type: "file", id: "file", "aria-label": "File",
      onchange: async () => { if (input.files[0] && await this.file(input.files[0], problem)) box.close(); } });
    const problem = el("p", { class: "problem", role: "alert" });
    const box = dialog("Open", el("label", { class: "field" }, el("span", {}, "A file, or drop one on the page"), input),
      area, problem, el("div", { class: "row" }, button("Open", async () => {
        if (await this.text(area.value, "the text", problem)) box.close();
      }, { id: "open-text", class: "main" })));
    area.focus();
  }

  async file(file, problem = null) {
    if (file.size > MOST_BYTES) {
      return this.#problem(`${file.name} is larger than 256 KiB, so it is no position.`, problem);
    }
    return this.text(await file.text(), file.name, problem);
  }

  #problem(words, place) {
    if (place) place.textContent = words;
    else this.tell(words);
    return false;
  }

  /** Opens a text; whether it could be read. */
  async text(text, name, problem = null) {
    if (!text.trim()) return this.#problem("There is no text to open.", problem);
    try {
      const { records } = await this.store.link.ask("open", { text, name });
      if (records.length > 1) this.#askWhich(records);
      else await this.#load(records[0]);
      return true;
    } catch (error) {
      return this.#problem(error.message, problem);
    }
  }

  async #load(record) {
    await this.store.load(record);
    this.tell(record.problem ?? `${record.label} is on the board.`);
  }

  #askWhich(records) {
    const box = dialog(`${records.length} positions`, el("ol", { class: "which-record" },
      records.map((record) => el("li", {}, button(record.label, () => { box.close(); this.#load(record); })))));
  }

  async askSave() {
    const { store } = this;
    const text = el("textarea", { rows: 12, readonly: true, id: "written", "aria-label": "The text" });
    const note = el("p", { class: "note", id: "lost" });
    const picture = el("div", { class: "row" });
    let ending = "yaml";
    const write = async (to) => {
      try {
        const { text: written, lost } = await store.link.ask("write", { ...store.place, to });
        text.value = written;
        note.textContent = lost.length ? `Not carried over: ${lost.join("; ")}.` : "";
        ending = { yaml: "yaml", json: "json" }[to] ?? "txt";
      } catch (error) {
        text.value = "";
        note.textContent = error.message;
      }
    };
    const words = { line: "one line", text: "grid", yaml: "YAML", json: "JSON", ltp: "LTP" };
    const to = choice("As", store.game.notations.map((each) => [each, words[each] ?? each]), "yaml", write);
    to.input.id = "notation";
    for (const each of ["svg", "png"]) {
      picture.append(button(`Picture, ${each.toUpperCase()}`, async () => {
        const { data, name } = await store.link.ask("picture", { ...store.place, to: each });
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        download(name, new Blob([bytes], { type: each === "svg" ? "image/svg+xml" : "image/png" }));
      }, { "data-picture": each }));
    }
    dialog("Save or copy", to.field, text, note, el("div", { class: "row" },
      button("Copy", async () => {
        text.select();
        try { await navigator.clipboard.writeText(text.value); note.textContent = "Copied."; }
        catch { document.execCommand("copy"); note.textContent = "Copied."; }
      }, { id: "copy", class: "main" }),
      button("Save file", () => download(`board.${ending}`, new Blob([text.value], { type: "text/plain" })))), picture);
    await write("yaml");
  }
}

function download(name, blob) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
