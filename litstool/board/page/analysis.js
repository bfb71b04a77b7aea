// The live analysis: who is ahead, the candidates, and one switch that hides all of it.

import { button, el, remember, remembered, toggle } from "./dom.js";

export class Analysis {
  #work = null;
  #key = null;

  constructor(store, hand, bar) {
    Object.assign(this, { store, hand, bar });
    this.isOn = remembered("analysis", true);
    this.isAllowed = true;
    this.switch = toggle("Analysis", this.isOn, (on) => this.turn(on));
    this.switch.input.id = "analysis-switch";
    this.verdict = el("p", { class: "verdict", "aria-live": "polite" });
    this.list = el("ol", { class: "candidates" });
    this.effort = el("p", { class: "note" });
    this.content = el("div", { id: "analysis" }, this.verdict, this.list, this.effort);
    this.section = el("section", { class: "card analysis", "aria-label": "Analysis" },
      this.switch.field, this.content);
    store.addEventListener("leave", () => this.stop());
    // A list that changes between press and release would swallow the click.
    this.list.addEventListener("pointerdown", () => { this.isHeld = true; });
    window.addEventListener("pointerup", () => setTimeout(() => { this.isHeld = false; }));
  }

  turn(on) {
    this.isOn = on;
    remember("analysis", on);
    this.show();
  }

  stop() {
    this.#work?.stop();
    this.#work = null;
  }

  /** Begins on the position that is shown, or hides everything. */
  show() {
    this.stop();
    const { view } = this.store;
    const runs = this.isOn && this.isAllowed && view && !view.violations.length && !view.finished;
    this.content.hidden = !this.isOn || !this.isAllowed;
    this.switch.field.hidden = !this.isAllowed;
    this.bar.hidden = !runs;
    this.list.replaceChildren();
    this.effort.textContent = "";
    this.verdict.textContent = view?.finished && this.isOn ? `The game is over: ${view.result}` : "";
    if (!runs) return;
    this.verdict.textContent = "…";
    this.#bar(null);
    const work = this.store.link.work("analyse", this.store.place, (part) => {
      if (work === this.#work) this.#tell(part);
    });
    this.#work = work;
    work.done.catch((problem) => {
      if (work === this.#work) this.verdict.textContent = problem.message;
    });
  }

  #bar(part) {
    const sides = this.store.game.sides;
    const share = part?.chance ?? 0.5;
    const percent = Math.round(100 * share);
    const first = el("span", { class: "share side-0" });
    first.style.width = `${100 * share}%`;
    const words = part ? `${sides[0]} ${percent} %, ${sides[1]} ${100 - percent} %` : "";
    this.bar.className = `worth${part?.exact ? " exact" : ""}`;
    this.bar.setAttribute("role", "img");
    this.bar.setAttribute("aria-label", `Who is ahead: ${words || "not known yet"}`);
    this.bar.replaceChildren(first, el("span", { class: "words" }, words));
  }

  #tell(part) {
    if (part.compiling) {
      this.verdict.textContent = "Compiling the search, once on this machine …";
      return;
    }
    if (this.isHeld) return;
    this.#bar(part);
    this.verdict.textContent = part.verdict + (part.choice === "swap" ? ": swap" : "");
    const focused = this.list.contains(document.activeElement)
      ? document.activeElement.dataset.move : null;
    const cellsOf = new Map(this.store.view.legal.map((each) => [each.move, each.cells]));
    this.list.replaceChildren(...part.moves.slice(0, 12).map((each) => {
      const cells = cellsOf.get(each.move) ?? [];
      const show = () => this.hand.preview(cells);
      const hide = () => this.hand.preview([]);
      // Of the side that the words name: the one with the better chance.
      const [low, high] = each.rate < 0.5 ? [1 - each.high, 1 - each.low] : [each.low, each.high];
      const range = each.low === null ? "" : `${(100 * low).toFixed(0)} to ${(100 * high).toFixed(0)} %`;
      return el("li", {}, el("button", {
        type: "button", class: "candidate", "data-move": each.move, onclick: () => this.store.play(each.move),
        onpointerenter: show, onpointerleave: hide, onfocus: show, onblur: hide,
      }, el("span", { class: "notation" }, each.move),
      el("span", { class: each.exact ? "value exact" : "value" }, each.words.replace(/, (exactly|estimated)$/, "")),
      el("span", { class: "range" }, each.exact ? "exactly" : range)));
    }));
    if (focused) this.list.querySelector(`[data-move="${CSS.escape(focused)}"]`)?.focus();
    const effort = [part.games ? `${part.games.toLocaleString("en")} games` : "",
      part.nodes ? `${part.nodes.toLocaleString("en")} nodes` : "", part.final ? "finished" : "thinking …"];
    this.effort.textContent = effort.filter(Boolean).join(", ") + (part.note ? `; ${part.note}` : "");
  }
}
