// Tables as CSV: whole, with all digits, and words that fit badly in a column of their own.
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
  return lines.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
}
