// The data of tables and figures, as data.py wrote them; each is read when it is first needed.
const parsed = (id) => JSON.parse(byId(id).textContent);
const texts = parsed("page-texts"); // what several of them share

const isPlain = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const whole = (value) => (isPlain(value) && "$" in value ? texts[value.$] : value);

const read = new Map();
function dataOf(id) {
  if (!read.has(id)) {
    const data = parsed(id);
    data.table.rows = data.table.rows.map((row) => row.map(whole));
    read.set(id, data);
  }
  return read.get(id);
}

// Rows of data as Vega wants them: each with the names of its fields.
function unpacked(rows) {
  if (Array.isArray(rows)) return rows;
  const { fields } = rows;
  return rows.rows.map((row) => Object.fromEntries(fields.map((name, place) => [name, whole(row[place])])));
}
