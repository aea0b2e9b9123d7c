// What is chosen; whatever shows it is called when it changes.
const first = Math.max(0, languages.findIndex((one) => one.code === data.show));
const state = {
  language: first, // of the map and of the concordance
  token: data.groups.length ? data.groups[0].example : tokens.length ? 0 : null, // kept
  expression: null, // a rank, "rare" or "none"
  group: null,
  text: "",
  all: false, // languages, in the concordance
  chosen: null, // tokens, with the mouse on the map
};
const listeners = [];
const whenChanged = (listener) => listeners.push(listener);

function choose(changes) {
  const before = { ...state };
  if ("language" in changes && changes.language !== state.language) state.expression = null;
  Object.assign(state, changes);
  const changed = new Set(Object.keys(state).filter((name) => state[name] !== before[name]));
  if (changed.size) for (const listener of listeners) listener(changed);
}
const FILTERS = ["expression", "group", "text", "chosen"];
const isFiltered = () => Boolean(state.expression !== null || state.group !== null || state.text || state.chosen);
const noFilters = { expression: null, group: null, text: "", chosen: null };

const lowered = new Map();
function loweredText(language, token) {
  const name = `${language} ${tokens[token].passage}`;
  if (!lowered.has(name)) {
    const text = (language < 0 ? data.texts : languages[language].texts)[tokens[token].passage];
    lowered.set(name, text === 0 ? "" : wordsOf(text).join(" ").toLowerCase());
  }
  return lowered.get(name);
}

function hasText(token, wanted) {
  if (tokens[token].key.toLowerCase().includes(wanted)) return true;
  const searched = state.all ? languages.map((_, number) => number) : [state.language];
  return [-1, ...searched].some((language) => loweredText(language, token).includes(wanted));
}

function hasExpression(token) {
  if (state.expression === null) return true;
  const ranks = ranksOf(state.language, token) || [];
  if (state.expression === "none") return !ranks.length;
  if (state.expression === "rare") return ranks.some((rank) => rank >= OWN);
  return ranks.includes(state.expression);
}

function passes(token) {
  return (state.group === null || tokens[token].group === state.group)
    && (!state.chosen || state.chosen.has(token))
    && hasExpression(token)
    && (!state.text || hasText(token, state.text));
}
