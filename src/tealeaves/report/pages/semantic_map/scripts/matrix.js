// Tokens by languages: a row a language, a column a token, in the order that shows blocks.
const field = byId("matrix-picture");
const HEAD = 20; // pixels above the rows, for the groups
const columnOf = new Map(data.order.map((token, column) => [token, column]));
const high = languages.length > 40 ? 13 : 18;
const size = { wide: 6, dense: 1 };
let plain = null; // the matrix without what is chosen
let cell = null; // column and row that keys or the mouse are at

// Cells begin and end at whole pixels: seams between them would look like borders.
const snapped = (value) => Math.round(value * size.dense) / size.dense;

function drawCell(pen, colours, language, token, column, y) {
  const ranks = ranksOf(language, token);
  if (!ranks) return;
  const x = snapped(column * size.wide);
  const wide = snapped((column + 1) * size.wide) - x - (size.wide > 8 ? 1 : 0);
  if (!ranks.length) {
    pen.fillStyle = colours.soft;
    const dot = Math.min(2, wide / 2);
    pen.fillRect(x + (wide - dot) / 2, y + (high - 1 - dot) / 2, dot, dot);
    return;
  }
  const part = (high - 1) / ranks.length; // several expressions share a cell
  ranks.forEach((rank, number) => {
    pen.fillStyle = colours.of(rank < OWN ? rank : RARE);
    pen.fillRect(x, y + number * part, wide, part);
  });
}

function drawGroups(pen, colours) {
  pen.font = "600 13px serif";
  pen.textBaseline = "middle";
  data.groups.forEach(({ name }, group) => {
    const columns = data.order.map((token, column) => (tokens[token].group === group ? column : -1)).filter((c) => c >= 0);
    const [from, to] = [columns[0] * size.wide, (columns[columns.length - 1] + 1) * size.wide];
    pen.fillStyle = colours.ink;
    pen.fillRect(from + 0.5, HEAD - 4, to - from - 1, 1.5);
    if (to - from >= 10) pen.fillText(name, from + 1, HEAD / 2 - 3);
    pen.fillStyle = colours.card; // a gap between groups
    if (from) pen.fillRect(snapped(from) - 1, HEAD, 2, high * languages.length);
  });
}

function drawMatrix() {
  const colours = currentColours();
  const room = byId("matrix-scroll").clientWidth - 118;
  size.wide = Math.max(5, Math.min(18, room / Math.max(1, tokens.length)));
  const [wide, tall] = [Math.ceil(size.wide * tokens.length), HEAD + high * languages.length];
  const dense = wide * tall > 4e6 ? 1 : Math.min(2, devicePixelRatio || 1);
  size.dense = dense;
  plain = element("canvas", { width: wide * dense, height: tall * dense });
  const pen = plain.getContext("2d");
  pen.scale(dense, dense);
  data.rows.forEach((language, row) => data.order.forEach((token, column) =>
    drawCell(pen, colours, language, token, column, HEAD + row * high)));
  if (data.groups.length > 1) drawGroups(pen, colours);
  Object.assign(field, { width: wide * dense, height: tall * dense });
  Object.assign(field.style, { width: `${wide}px`, height: `${tall}px` });
  frameChosen();
}

function frameChosen() {
  const pen = field.getContext("2d");
  const colours = currentColours();
  const dense = field.width / parseFloat(field.style.width);
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, field.width, field.height);
  pen.drawImage(plain, 0, 0);
  pen.scale(dense, dense);
  pen.lineWidth = 2;
  if (columnOf.has(state.token)) {
    pen.strokeStyle = colours.focus;
    pen.strokeRect(columnOf.get(state.token) * size.wide - 1, HEAD - 1, size.wide + 2, high * languages.length + 1);
  }
  if (cell) {
    pen.strokeStyle = colours.ink;
    pen.strokeRect(cell.column * size.wide - 1, HEAD + cell.row * high - 1, size.wide + 2, high + 1);
  }
}

function tellCell() {
  const token = data.order[cell.column];
  const language = data.rows[cell.row];
  const { code } = languages[language];
  const ranks = ranksOf(language, token);
  const found = ranks === null ? "no passage" : expressionsOf(language, token).join(", ") || "no expression";
  byId("matrix-said").replaceChildren(element("b", {}, nameOf(code)), " ", element("bdi", {}, found),
    ` ${confidenceText(language, token)} – ${tokens[token].key} `, snippet(sourceWords(token), tokens[token].place, data.source));
}

function goTo(column, row) {
  if (!tokens.length) return;
  const within = (value, length) => Math.max(0, Math.min(length - 1, value));
  const next = { column: within(column, tokens.length), row: within(row, languages.length) };
  if (cell && cell.column === next.column && cell.row === next.row) return;
  cell = next;
  tellCell();
  frameChosen();
}

function atPointer(event) {
  const box = field.getBoundingClientRect();
  const y = event.clientY - box.top - HEAD;
  return [Math.floor((event.clientX - box.left) / size.wide), Math.floor(y / high)];
}

const keepCell = () => { if (cell) choose({ token: data.order[cell.column], language: data.rows[cell.row] }); };

function startMatrix() {
  const names = element("div", { class: "names", style: `padding-top:${HEAD}px` },
    ...data.rows.map((language) => languages[language].code)
      .map((code) => element("div", { style: `height:${high}px`, title: code }, nameOf(code))));
  field.before(names);
  drawMatrix();
  field.addEventListener("pointermove", (event) => goTo(...atPointer(event)));
  field.addEventListener("click", (event) => { goTo(...atPointer(event)); keepCell(); });
  field.addEventListener("pointerleave", () => { cell = null; frameChosen(); });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); keepCell(); }
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    const from = cell || { column: columnOf.get(state.token) || 0, row: data.rows.indexOf(state.language) };
    goTo(from.column + step[0], from.row + step[1]);
    field.setAttribute("aria-label", byId("matrix-said").textContent);
  });
  whenChanged((changed) => { if (changed.has("token")) frameChosen(); });
  let wait;
  addEventListener("resize", () => { clearTimeout(wait); wait = setTimeout(drawMatrix, 150); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawMatrix);
}
