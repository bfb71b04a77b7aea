// Elements made from names, properties and children; text is always text, never markup.

export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "text") element.textContent = value;
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const find = (id) => document.getElementById(id);

export function button(text, act, properties = {}) {
  return el("button", { type: "button", onclick: act, ...properties }, text);
}

/** A labelled choice of one of several words. */
export function choice(label, options, value, act) {
  const select = el("select", { onchange: () => act?.(select.value) });
  for (const option of options) {
    const [name, words] = Array.isArray(option) ? option : [option, option || "any"];
    select.append(el("option", { value: name, selected: name === value }, words));
  }
  return { field: el("label", { class: "field" }, el("span", {}, label), select), input: select };
}

/** A labelled line of text or number. */
export function line(label, value, properties = {}) {
  const input = el("input", { value, autocomplete: "off", spellcheck: "false", ...properties });
  return { field: el("label", { class: "field" }, el("span", {}, label), input), input };
}

/** A labelled switch. */
export function toggle(label, checked, act) {
  const input = el("input", { type: "checkbox", checked, onchange: () => act(input.checked) });
  return { field: el("label", { class: "toggle" }, input, el("span", {}, label)), input };
}

/** A drawing of the server as an element: parsed as a document, so that it can run nothing. */
export function drawing(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return document.importNode(parsed, true);
}

/** Keep only the latest of calls that come faster than they are answered. */
export function latest(work) {
  let number = 0;
  return async (...values) => {
    const mine = ++number;
    const found = await work(...values);
    return mine === number ? found : undefined;
  };
}

export function remembered(name, usual) {
  try {
    return JSON.parse(localStorage.getItem(`litstool.${name}`)) ?? usual;
  } catch {
    return usual;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(`litstool.${name}`, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing forgets it.
  }
}
