// Tables as CSV: whole, with all digits, and words that fit badly in a column of their own.
// Cells as tables/spreadsheets.py writes them: no formula, no control character; numbers stay.
const FORMULA =
  /^'*(?![+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$|[+-]?(?:inf|infinity|nan|∞)$|-$)\s*[=+\-@＝＋－＠\t\r\n]/i;
const HIDDEN = new RegExp(String.raw`C|\\(?=\\*(?:x(?:[01][0-9a-f]|7f|[89][0-9a-f])|C))`
  .replaceAll("C", String.raw`[\0-\x08\x0b-\x1f\x7f-\x9f]`), "g");
const hide = (sign) => (sign === "\\" ? "\\\\" : `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);
function written(text) {
  const plain = text.replace(HIDDEN, hide);
  return FORMULA.test(plain) ? `'${plain}` : plain;
}
const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text);
const SEPARATOR = ", "; // between words of a topic

function plain(value) {
  if (value === null) return "";
  return Array.isArray(value) ? value.map(textOf).join(SEPARATOR) : String(value);
}

function csvOf(table) {
  const odd = table.columns.map((_, column) =>
    table.rows.some((row) => Array.isArray(row[column]) && row[column].some(isOdd)));
  const spread = (cells, other) => cells.flatMap((cell, column) =>
    (odd[column] ? [plain(cell), other(cell)] : [plain(cell)]));
  const lines = [
    spread(table.columns, (name) => `${name} (odd)`),
    ...table.rows.map((row) => spread(row, (cell) =>
      (Array.isArray(cell) ? plain(cell.filter(isOdd)) : ""))),
  ];
  return lines.map((cells) => `${cells.map(written).map(quoted).join(",")}\r\n`).join("");
}
