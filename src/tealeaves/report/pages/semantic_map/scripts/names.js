// Codes of languages as names: those that charts have.
const nameByCode = new Map(languages.map(({ code, name }) => [code, name]));
const nameOf = (code) => nameByCode.get(code) ?? code;

// What the attribute lang takes; an empty one says that the language is not known.
function tagOf(code) {
  try {
    return Intl.getCanonicalLocales(code)[0] || "";
  } catch {
    return "";
  }
}
