// Figures: their buttons, their tables, and menus that choose among several.
function startFigure(node) {
  let data = () => dataOf(node.dataset.source);
  const frame = addFrame(node, () => data());
  const [open, twin] = [node.querySelector("[data-do=table]"), node.querySelector(".twin")];
  const showTable = () => {
    twin.hidden = open.getAttribute("aria-expanded") !== "true";
    twin.replaceChildren(...(twin.hidden ? [] : twinNodes(data().table)));
  };
  open.addEventListener("click", () => {
    open.setAttribute("aria-expanded", String(open.getAttribute("aria-expanded") !== "true"));
    showTable();
  });
  node.querySelector("[data-do=svg]").addEventListener("click", () => saveSvg(data()));
  node.querySelector("[data-do=csv]").addEventListener("click", () => saveCsv(data()));
  const menu = node.querySelector("select");
  const choose = () => {
    node.dataset.source = menu.value;
    const { title, caption } = data();
    node.querySelector("h3 bdi").textContent = title;
    node.querySelector("figcaption").textContent = caption;
    frame.picture.setAttribute("aria-label", caption || title);
    for (const of of node.querySelectorAll("[data-of]")) of.textContent = title;
    showTable();
    Object.assign(frame, { drawn: false });
    tellDrawn();
    draw(frame);
  };
  menu?.addEventListener("change", choose);
  if (menu && menu.value !== node.dataset.source) choose(); // as the reader left it
}

// A table below its chart, in a box of its own that scrolls.
function twinNodes(table) {
  const node = tableNode(table);
  const live = liveTable(node, table);
  const box = element("div", { class: table.rows.length > 30 ? "scroll tall" : "scroll", tabindex: 0, role: "region", "aria-label": table.caption }, node);
  followSides(box);
  const legend = table.legend.map((line) => element("p", { class: "legend" }, line));
  if (table.rows.length <= SHOWN) return [box, ...legend];
  const count = table.rows.length.toLocaleString("en");
  const rest = element("p", { class: "rest" }, `The first ${SHOWN} of ${count} rows; with scripts, buttons of this page show and save all.`);
  const more = element("button", { type: "button", class: "more" }, `Show all ${count} rows`);
  more.addEventListener("click", () => {
    live.showAll();
    rest.remove();
    more.remove();
    box.focus();
  });
  return [box, rest, more, ...legend];
}
