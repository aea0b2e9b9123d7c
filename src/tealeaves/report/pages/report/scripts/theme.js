// Light or dark: as the system is, until the reader chooses.
const THEME = "tealeaves-theme";
const themeButton = byId("page-theme");
const scheme = matchMedia("(prefers-color-scheme: dark)");

function remembered(action) {
  try {
    return action(localStorage);
  } catch { // pages without a place to keep things
    return null;
  }
}

function showTheme() {
  themeButton.setAttribute("aria-pressed", String(isDark()));
  if (frames.some((frame) => frame.drawn && frame.dark !== isDark())) drawAnew();
}

function startTheme() {
  const kept = remembered((storage) => storage.getItem(THEME));
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  themeButton.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    remembered((storage) => storage.setItem(THEME, root.dataset.theme));
    showTheme();
  });
  scheme.addEventListener("change", showTheme);
  showTheme();
}
