// The concordance: each token in its passage, and in those of the languages that are shown.
const STEP = 20;
let hits = [];
let shown = 0;

function lineOf(token) {
  const { key, group, lemma } = tokens[token];
  const which = state.all ? languages.map((_, number) => number) : [state.language];
  const words = which.flatMap((language) => [
    element("div", { class: `head${guessClass(language, token)}` },
      element("span", { class: "language" }, nameOf(languages[language].code)), ...chips(language, token),
      element("span", { class: "tag" }, confidenceText(language, token))),
    element("div", { class: guessClass(language, token) }, targetPassage(language, token)),
  ]);
  const about = [data.lemmas.length > 1 ? data.lemmas[lemma] : "", group >= 0 && data.groups.length > 1 ? `group ${data.groups[group].name}` : ""];
  return element("li", { class: `line${token === state.token ? " kept" : ""}`, "data-line": token },
    element("button", { type: "button", class: "key", "data-token": token, title: "Show on the map" }, key), " ",
    sourcePassage(token), " ", element("span", { class: "tag" }, about.filter(Boolean).join(" · ")),
    element("div", { class: "words" }, ...words));
}

function showMore() {
  const next = hits.slice(shown, shown + STEP);
  byId("lines").append(...next.map(lineOf));
  shown += next.length;
  byId("more").hidden = shown >= hits.length;
  byId("more").textContent = `Show more (${(hits.length - shown).toLocaleString("en")} left)`;
}

function showLines() {
  hits = tokens.map((_, number) => number).filter(passes);
  shown = 0;
  byId("lines").replaceChildren();
  const chosen = state.chosen ? `, of ${state.chosen.size} chosen on the map` : "";
  byId("hits").textContent = hits.length === tokens.length
    ? `All ${counted(tokens.length, "token")}, in the order of the text`
    : `${hits.length.toLocaleString("en")} of ${counted(tokens.length, "token")}${chosen}`;
  showMore();
}

// Go to the line of a token, whatever filters would hide it.
function readToken(token) {
  if (!hits.includes(token)) choose(noFilters);
  while (shown <= hits.indexOf(token)) showMore();
  const line = byId("lines").querySelector(`[data-line="${token}"]`);
  line.scrollIntoView({ block: "center" });
  line.querySelector("button").focus({ preventScroll: true });
}

function options(select, entries, value) {
  select.replaceChildren(...entries.map(([name, label]) => element("option", { value: name }, label)));
  select.value = value === null ? "" : String(value);
}

function showFilters() {
  const own = languages[state.language];
  const every = languages.map(({ code }, number) => [number, nameOf(code)]);
  options(byId("filter-language"), [["all", "All languages"], ...every], state.all ? "all" : state.language);
  const expressions = own.expressions.map((text, rank) => [rank, `${text} (${own.counts[rank]})`]);
  const extra = own.expressions.length > OWN ? [["rare", "rarer ones"]] : [];
  options(byId("filter-expression"), [["", `any in ${nameOf(own.code)}`], ...expressions, ...extra, ["none", "no expression"]], state.expression);
  options(byId("filter-group"), [["", "any"], ...data.groups.map(({ name }, number) => [number, name])], state.group);
  if (byId("search").value.trim().toLowerCase() !== state.text) byId("search").value = state.text;
}

function startConcordance() {
  const number = (text) => (text === "" ? null : /^\d+$/.test(text) ? Number(text) : text);
  byId("filter-language").addEventListener("change", ({ target }) =>
    choose(target.value === "all" ? { all: true } : { all: false, language: Number(target.value) }));
  byId("filter-expression").addEventListener("change", ({ target }) => choose({ expression: number(target.value) }));
  byId("filter-group").addEventListener("change", ({ target }) => choose({ group: number(target.value) }));
  let wait;
  byId("search").addEventListener("input", ({ target }) => {
    clearTimeout(wait);
    wait = setTimeout(() => choose({ text: target.value.trim().toLowerCase() }), 120);
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("filters").addEventListener("reset", (event) => { event.preventDefault(); choose(noFilters); });
  byId("more").addEventListener("click", showMore);
  showFilters();
  showLines();
  whenChanged((changed) => {
    const relevant = ["language", "all", ...FILTERS].some((name) => changed.has(name));
    if (relevant) { showFilters(); showLines(); }
    if (!relevant && changed.has("token")) {
      for (const line of byId("lines").children) line.classList.toggle("kept", Number(line.dataset.line) === state.token);
    }
  });
}
