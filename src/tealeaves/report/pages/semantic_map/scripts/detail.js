// The token that is kept: its passage, and how every language expresses it.
function chips(language, token) {
  const own = languages[language];
  const ranks = ranksOf(language, token);
  if (ranks === null) return [element("span", { class: "tag" }, "no passage")];
  if (!ranks.length) return [element("span", { class: "tag" }, "no expression")];
  return ranks.map((rank) => element("button", {
    type: "button", class: `chip ${classOf(rank < OWN ? rank : RARE)}`, "data-language": own.code, "data-rank": rank,
    title: `All tokens with this expression (${own.counts[rank]})`,
  }, element("bdi", { lang: tagOf(own.code) }, own.expressions[rank])));
}

function showDetail() {
  const place = byId("detail");
  const { token, language } = state;
  if (token === null) {
    place.replaceChildren(element("p", { class: "hint" }, "There are no tokens."));
    return;
  }
  const { key, group } = tokens[token];
  const own = languages[language];
  const read = element("button", { type: "button", on: { click: () => readToken(token) } }, "Read on in the concordance ↓");
  const rows = languages.flatMap(({ code }, number) => [
    element("dt", { title: code }, nameOf(code)),
    element("dd", { class: guessClass(number, token) }, element("bdi", {}, expressionsOf(number, token).join(", ")
      || (ranksOf(number, token) ? "–" : "no passage")), " ", element("small", {}, confidenceText(number, token))),
  ]);
  place.replaceChildren(
    element("h3", {}, `${key} `, element("bdi", {}, formOf(token))),
    element("p", { class: "tag" }, group >= 0 ? `group ${data.groups[group].name}` : "expressed in no language"),
    element("p", {}, sourcePassage(token)),
    element("p", { class: "tag" }, [nameOf(own.code), confidenceText(language, token)].filter(Boolean).join(" · ")),
    element("p", { class: guessClass(language, token) }, targetPassage(language, token)),
    read,
    element("dl", {}, ...rows),
  );
  place.scrollTop = 0;
}

function startDetail() {
  showDetail();
  whenChanged((changed) => { if (changed.has("token") || changed.has("language")) showDetail(); });
}
