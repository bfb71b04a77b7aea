// Steps through the game: one position is shown at a time, by buttons, keys, links and the chart.
"use strict";
(() => {
  const plies = [...document.querySelectorAll("article.ply")];
  const links = [...document.querySelectorAll(".moves a")];
  const controls = document.querySelector(".controls");
  if (!controls) return;
  const buttons = Object.fromEntries(
    [...controls.querySelectorAll("button")].map((button) => [button.dataset.go, button]));
  const where = controls.querySelector(".where");
  const cursor = document.querySelector(".chart .cursor");
  const announced = document.getElementById("announced");
  const last = plies.length - 1;
  let current = -1;

  function show(ply, announce = true) {
    ply = Math.max(0, Math.min(last, ply));
    if (ply === current) return;
    current = ply;
    plies.forEach((article, number) => { article.hidden = number !== ply; });
    links.forEach((link, number) => {
      if (number === ply) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    });
    keepInView(links[ply]);
    // Not "disabled": a disabled button would drop the keyboard's focus.
    for (const [name, ends] of [["first", 0], ["back", 0], ["on", last], ["last", last]]) {
      buttons[name].setAttribute("aria-disabled", String(ply === ends));
    }
    where.textContent = `${ply} / ${last}`;
    cursor.setAttribute("x", Number(cursor.dataset.left) + ply * Number(cursor.dataset.step));
    if (!announce) return;
    // Not at the start: the browser would go to the place of the fragment, down the page.
    history.replaceState(null, "", `#move-${ply}`);
    announced.textContent = plies[ply].dataset.said;
  }

  // Scrolls only the list of moves, never the page.
  function keepInView(link) {
    const list = link.closest("ol");
    const top = link.offsetTop; // The list is what it is counted from.
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + link.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top + link.offsetHeight - list.clientHeight;
    }
  }

  const steps = {
    first: () => show(0),
    back: () => show(current - 1),
    on: () => show(current + 1),
    last: () => show(last),
  };
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

  for (const [name, button] of Object.entries(buttons)) {
    button.addEventListener("click", steps[name]);
  }
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const step = keys[event.key];
    if (!step) return;
    event.preventDefault();
    steps[step]();
  });
  for (const link of links) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      show(Number(link.dataset.ply));
    });
  }
  for (const column of document.querySelectorAll(".chart .hit")) {
    column.addEventListener("click", () => show(Number(column.dataset.ply)));
  }
  function shown() {
    const match = /^#move-(\d+)$/.exec(location.hash);
    return match ? Number(match[1]) : null;
  }
  window.addEventListener("hashchange", () => { if (shown() !== null) show(shown()); });

  controls.hidden = false;
  document.querySelector(".keys").hidden = false;
  document.body.classList.add("stepping");
  show(shown() ?? last, false);
  // The browser went to the position's place before the others were hidden.
  window.addEventListener("load", () => window.scrollTo(0, 0));
})();
