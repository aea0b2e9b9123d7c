// Passages with words marked in them, and what pictures are made of.
const SVG = "http://www.w3.org/2000/svg";

const drawn = (tag, given = {}, ...children) => fill(document.createElementNS(SVG, tag), given, children);
const counted = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

// Scripts that are written without spaces are shown without them.
const CLOSED = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u;
const between = (one, other) => (CLOSED.test(one) && CLOSED.test(other) ? "" : " ");

function passage(words, marked, code) {
  const node = element("bdi", { class: "passage", lang: tagOf(code), dir: "auto" });
  let run = ""; // plain words go into one node of text
  words.forEach((word, place) => {
    if (place) run += between(words[place - 1], word);
    if (!marked.has(place)) {
      run += word;
      return;
    }
    if (run) node.append(run);
    run = "";
    node.append(element("mark", {}, word));
  });
  if (run) node.append(run);
  return node;
}

const sourcePassage = (token) =>
  passage(sourceWords(token), new Set([tokens[token].place]), data.source);

function targetPassage(language, token) {
  const found = targetWords(language, token);
  if (!found) return element("span", { class: "hint" }, "no such passage");
  return passage(found.words, found.marked, languages[language].code);
}

// A few words around the token, for small places.
function snippet(words, place, code) {
  const from = Math.max(0, place - 6);
  const some = words.slice(from, place + 7);
  const node = passage(some, new Set([place - from]), code);
  if (from) node.prepend("… ");
  if (place + 7 < words.length) node.append(" …");
  return node;
}
