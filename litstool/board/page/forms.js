// Fields made from data: choices, numbers and words that a game describes.

import { choice, el, line } from "./dom.js";

/** The fields of keys; `said` holds what is said in them. */
export function fields(keys, said) {
  return el("div", { class: "fields" }, keys.map((key) => {
    said[key.key] ??= key.usual;
    const made = key.choices.length
      ? choice(key.words, key.choices.map((each) => [each, each || "any"]), said[key.key], (value) => { said[key.key] = value; })
      : line(key.words, said[key.key], { "data-key": key.key });
    made.input.dataset.key = key.key;
    made.input.addEventListener("change", () => { said[key.key] = made.input.value; });
    return made.field;
  }));
}
