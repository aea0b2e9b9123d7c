// How sure a model is of what it found; what it is hardly sure of is a guess.
const sureOf = (language, token) => languages[language].sure[token]; // -1 if it does not say
const isExpressed = (language, token) => Boolean(ranksOf(language, token)?.length);

function isGuess(language, token) {
  const sure = sureOf(language, token);
  return isExpressed(language, token) && sure >= 0 && sure < data.guess;
}

const leftOut = languages.map(({ doubted }) => new Set(doubted));
const inTwoDigits = (value) =>
  (value < 0.005 ? "<.01" : value >= 0.995 ? "1" : value.toFixed(2).slice(1));

// Words such as "sure .02", or nothing.
function confidenceText(language, token) {
  const sure = sureOf(language, token);
  if (leftOut[language].has(token)) return `left out, sure ${inTwoDigits(sure)}`;
  return sure < 0 || !isExpressed(language, token) ? "" : `sure ${inTwoDigits(sure)}`;
}

const guessClass = (language, token) => (isGuess(language, token) ? " guess" : "");
