// Words of a topic: those that fit badly are marked, and translations of each other numbered.
function wordNodes(packed) {
  const [text, odd, why, match] = Array.isArray(packed) ? packed : [packed, 0, "", 0];
  const node = odd || why
    ? element("span", { class: odd ? "word odd" : "word", tabindex: why ? 0 : null, title: why || null },
      odd ? element("span", { class: "unseen" }, "odd: ") : null, element("bdi", {}, text))
    : element("bdi", { class: "word" }, text);
  return match ? [node, element("sup", { class: "match" }, String(match))] : [node];
}

const wordsNodes = (some) => some.flatMap((one, place) => (place ? [" ", ...wordNodes(one)] : wordNodes(one)));

// A text that may break after signs, in its own direction; tables.py does the same.
const LONG = 40;
const isLong = (value) => typeof value === "string" && [...value].length >= LONG;
const textNode = (text) => element("bdi", {},
  ...text.split(/(?<=[,|=(])/u).flatMap((piece, place) => (place ? [element("wbr"), piece] : [piece])));
const textOf = (packed) => (Array.isArray(packed) ? packed[0] : packed);
const isOdd = (packed) => Array.isArray(packed) && Boolean(packed[1]);
