// What the page shows, as page_data wrote it. Words of users become text, never markup.
const data = JSON.parse(document.getElementById("data").textContent);
const languages = data.languages;
const tokens = data.tokens.map(([passage, place, lemma, group, x, y]) => ({
  passage, place, lemma, group, x, y, placed: x !== undefined, key: data.keys[passage],
}));
const asList = (value) => (Array.isArray(value) ? value : [value]);
const wordsOf = (text) => (Array.isArray(text) ? text : text.split(" "));
const sourceWords = (token) => wordsOf(data.texts[tokens[token].passage]);
const formOf = (token) => sourceWords(token)[tokens[token].place];

// How a language expresses a token: ranks of expressions, [] for none, null without a passage.
function ranksOf(language, token) {
  const cell = languages[language].cells[token];
  if (cell === -2) return null;
  return cell === -1 ? [] : asList(cell);
}

// The words of a token's passage in a language, or null, and which of them express it.
function targetWords(language, token) {
  const text = languages[language].texts[tokens[token].passage];
  if (text === 0) return null;
  const found = ranksOf(language, token);
  const marked = found && found.length ? asList(languages[language].words[token]) : [];
  return { words: wordsOf(text), marked: new Set(marked) };
}

const expressionsOf = (language, token) =>
  (ranksOf(language, token) || []).map((rank) => languages[language].expressions[rank]);
