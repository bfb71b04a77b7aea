// The position in the page's address, so that a bookmark brings it back.

const plain = (text) => encodeURIComponent(text)
  .replace(/%(2F|3A|2C|40|20|3D|28|29|2A)/g, (code) => code === "%20" ? "+" : decodeURIComponent(code));

export function write(tree, mode) {
  const parts = [`start=${plain(tree.start).replace(/=/g, "%3D")}`];
  const moves = tree.written();
  if (moves) parts.push(`moves=${plain(moves)}`);
  if (mode !== "explore") parts.push(`do=${mode}`);
  history.replaceState(null, "", `#${parts.join("&")}`);
}

/** What the address says; null where it says nothing. */
export function read() {
  const said = new URLSearchParams(location.hash.slice(1));
  const start = said.get("start");
  return start ? { start, moves: said.get("moves") ?? "", mode: said.get("do") } : null;
}
