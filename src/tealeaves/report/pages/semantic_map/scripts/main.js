// Put all together: menus, and buttons that the page was written with.
for (const node of document.querySelectorAll("[data-language-of=source]")) {
  node.lang = tagOf(data.source);
  node.dir = "auto";
}

function startMenu() {
  const menu = byId("map-language");
  options(menu, languages.map(({ code }, number) => [number, nameOf(code)]), state.language);
  menu.addEventListener("change", () => choose({ language: Number(menu.value) }));
  const turn = (step) => () => choose({ language: (state.language + step + languages.length) % languages.length });
  byId("previous").addEventListener("click", turn(-1));
  byId("next").addEventListener("click", turn(1));
  whenChanged(() => { menu.value = String(state.language); });
}

// Expressions, groups and places of the text, wherever they stand on the page.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button[data-rank], button[data-group], button[data-token]");
  if (!button) return;
  const { rank, language, group, token } = button.dataset;
  if (token !== undefined) {
    choose({ token: Number(token) });
    byId("map").scrollIntoView();
    return;
  }
  const within = byId("concordance").contains(button);
  if (group !== undefined) choose({ ...noFilters, group: Number(group) });
  else {
    choose({ language: languages.findIndex(({ code }) => code === language) });
    choose({ ...noFilters, expression: Number(rank) });
  }
  if (!within) byId("concordance").scrollIntoView();
});

startMenu();
startMap();
startMultiples();
startMatrix();
startDetail();
startConcordance();
