// What there is to say of a position: facts, violations, what the marks mean.

import { el } from "./dom.js";

export function facts(view) {
  const rows = view.facts.map(([label, words]) => el("div", {},
    el("dt", {}, label ?? ""), el("dd", {}, words)));
  const broken = view.violations.map((each) => el("li", {}, el("b", {}, `${each.rule}: `), each.message));
  const legend = view.legend.map(([mark, words]) => el("li", {}, el("span", { class: "mark" }, mark), words));
  return el("section", { class: "card", "aria-label": "Position" },
    view.problem ? el("p", { class: "problem", role: "alert" }, view.problem) : null,
    broken.length ? el("div", { class: "problems" }, el("h2", {}, "Not legal"), el("ul", {}, broken)) : null,
    el("dl", { class: "facts" }, rows),
    legend.length ? el("details", { class: "marks-told" }, el("summary", {}, "Marks on the board"),
      el("ul", { class: "legend" }, legend)) : null);
}
