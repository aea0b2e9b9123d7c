// Tables of data: their cells, and the order of their rows.
const SHOWN = 100; // rows that are there at once; more are asked for by a button
const PRINTED = 400; // rows of the longest table that paper gets whole

function cellNode(table, value, column) {
  const label = column < table.labels;
  const words = Array.isArray(value);
  const given = {
    scope: label ? "row" : null,
    class: table.numeric[column] ? "number" : isLong(value) ? "long" : words ? "words" : null,
  };
  const content = words ? wordsNodes(value)
    : typeof value === "string" && !table.numeric[column] ? [textNode(value)]
      : [cellText(value, table.decimals[column])];
  return element(label ? "th" : "td", given, ...content);
}
const rowNode = (table, row) => element("tr", {}, ...row.map((value, column) => cellNode(table, value, column)));

function tableNode(table) {
  const heads = table.columns.map((name, column) =>
    element("th", { scope: "col", class: table.numeric[column] ? "number" : null }, textNode(name)));
  return element("table", { class: table.fit },
    element("caption", {}, table.caption),
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...table.rows.slice(0, SHOWN).map((row) => rowNode(table, row))));
}

// Smallest first; what has no value comes last, either way round. Texts that begin with a number, as
// "0.5 [0.4 to 0.6]" does, go by it.
const collator = new Intl.Collator("en", { numeric: true });
const sortText = (value) => (Array.isArray(value) ? value.map(textOf).join(" ") : String(value));
const sortNumber = (value) => (typeof value === "number" ? value
  : value === "inf" ? Infinity : value === "-inf" ? -Infinity
    : Array.isArray(value) ? NaN : parseFloat(value.replaceAll("−", "-")));

function compared(column, way) {
  return ({ [column]: one }, { [column]: other }) => {
    if (one === null || other === null) return (one === null) - (other === null);
    const [a, b] = [sortNumber(one), sortNumber(other)];
    if (a < b || a > b) return a < b ? -way : way;
    return way * collator.compare(sortText(one), sortText(other));
  };
}
const isCounted = (table, column) => table.rows.every(({ [column]: value }) => value === null || !isNaN(sortNumber(value)));

// A table that can be sorted by any column: up, down, and as it was.
function liveTable(node, table) {
  const state = { column: -1, way: 0, shown: node.tBodies[0].rows.length };
  const heads = [...node.tHead.rows[0].cells];
  const rows = (...some) => (state.way ? [...table.rows].sort(compared(state.column, state.way)) : table.rows)
    .slice(...some).map((row) => rowNode(table, row));
  const show = () => node.tBodies[0].replaceChildren(...rows(0, state.shown));
  const sort = (column) => {
    const same = column === state.column;
    const first = isCounted(table, column) ? -1 : 1; // numbers: the largest first
    const way = same ? { [first]: -first, [-first]: 0, 0: first }[state.way] : first;
    Object.assign(state, { column, way });
    heads.forEach((head, place) => {
      if (place === column && way) head.setAttribute("aria-sort", way > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    show();
  };
  heads.forEach((head, column) => {
    head.replaceChildren(element("button", { type: "button", class: "sort", on: { click: () => sort(column) } },
      ...head.childNodes));
  });
  liveTables.set(node, {
    print: () => {
      if (table.rows.length > PRINTED) return;
      node.tBodies[0].append(...rows(state.shown));
      tellRest(node, true);
    },
    printed: () => {
      [...node.tBodies[0].rows].slice(state.shown).forEach((row) => row.remove());
      tellRest(node, false);
    },
  });
  return { showAll: () => { state.shown = table.rows.length; show(); } };
}

// Paper has no button to ask for more: it gets all rows at once.
const liveTables = new Map();
function tellRest(node, hidden) {
  const rest = node.parentElement.parentElement.querySelector(".rest"); // below the box of the table
  if (rest) rest.hidden = hidden;
}
function ofPrinting(action) {
  for (const [node, live] of liveTables) {
    if (!node.isConnected) liveTables.delete(node); // a table below a chart that was closed
    else live[action]();
  }
}
addEventListener("beforeprint", () => ofPrinting("print"));
addEventListener("afterprint", () => ofPrinting("printed"));
