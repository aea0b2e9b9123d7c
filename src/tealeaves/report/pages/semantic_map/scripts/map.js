// The map: a point for each token, coloured by the language that is chosen.
const picture = byId("map-picture");
const radius = data.map.radius;
const points = new Map();
const halo = drawn("circle", { class: "halo", r: radius + 4, visibility: "hidden" });
const cursorRing = drawn("circle", { class: "cursor", r: radius + 7, visibility: "hidden" });
let cursor = null; // the token that arrow keys have gone to

// A label stands right of its point, or left of it where the picture ends: letters are as large as
// on narrow screens, at most.
const LETTER = { wide: 22, high: 24 };
function labelAt({ x, y }, name) {
  const fits = x + radius + 3 + LETTER.wide * name.length <= data.map.width;
  const beside = fits ? { x: x + radius + 3 } : { x: x - radius - 3, "text-anchor": "end" };
  return { ...beside, y: Math.max(LETTER.high, y - radius - 2) };
}

function makeMap() {
  picture.setAttribute("viewBox", `0 0 ${data.map.width} ${data.map.height}`);
  tokens.forEach((token, number) => {
    if (!token.placed) return;
    const point = drawn("path", { transform: `translate(${token.x},${token.y})` });
    points.set(number, point);
    picture.append(point);
  });
  if (data.groups.length > 1) {
    for (const { name, example } of data.groups) {
      picture.append(drawn("text", { class: "example", ...labelAt(tokens[example], name) }, name));
    }
  }
  picture.append(halo, cursorRing);
}

function colourMap() {
  for (const [number, point] of points) {
    const look = lookOf(state.language, number);
    point.setAttribute("d", shapeOf(look, radius));
    point.setAttribute("class", `point ${classOf(look)}${guessClass(state.language, number)}${passes(number) ? "" : " faded"}`);
  }
}

function ring(circle, token) {
  const at = token === null ? null : tokens[token];
  circle.setAttribute("visibility", at && at.placed ? "visible" : "hidden");
  if (at && at.placed) circle.setAttribute("transform", `translate(${at.x},${at.y})`);
}

function legendEntry(look, expression, label, number) {
  const swatch = drawn("svg", { viewBox: "-8 -8 16 16", "aria-hidden": "true" },
    drawn("path", { d: shapeOf(look, 5), class: `point ${classOf(look)}` }));
  const toggle = () => choose({ expression: state.expression === expression ? null : expression });
  return element("li", {}, element("button", {
    type: "button", class: "chip", "aria-pressed": String(state.expression === expression), on: { click: toggle },
  }, swatch, element("bdi", {}, label), element("small", {}, String(number))));
}

function makeLegend() {
  const own = languages[state.language];
  const entries = own.expressions.slice(0, OWN).map((expression, rank) =>
    legendEntry(rank, rank, expression, own.counts[rank]));
  const every = tokens.map((_, number) => number);
  const rare = every.filter((number) => (ranksOf(state.language, number) || []).some((rank) => rank >= OWN));
  const none = every.filter((number) => lookOf(state.language, number) === NONE);
  if (rare.length) entries.push(legendEntry(RARE, "rare", "rarer ones", rare.length));
  if (none.length) entries.push(legendEntry(NONE, "none", "no expression", none.length));
  // the focus stays on the button that was pressed
  const held = [...byId("legend").querySelectorAll("button")].indexOf(document.activeElement);
  byId("legend").replaceChildren(...entries);
  if (held >= 0) byId("legend").querySelectorAll("button")[held]?.focus();
  byId("map-said").textContent =
    `${counted(own.expressions.length, "expression")} for ${counted(tokens.length - none.length, "token")}${guesses()}`;
}

function guesses() {
  const number = tokens.filter((_, token) => isGuess(state.language, token)).length;
  return number ? `; ${number.toLocaleString("en")} less sure than ${String(data.guess).slice(1)} (pale)` : "";
}

function describe(token) {
  const own = languages[state.language];
  const found = expressionsOf(state.language, token);
  const { key } = tokens[token];
  return [
    element("b", {}, `${key} `), snippet(sourceWords(token), tokens[token].place, data.source),
    element("br"), `${nameOf(own.code)}: `, element("bdi", {}, found.join(", ") || "no expression"),
    ` ${confidenceText(state.language, token)}`,
  ];
}

const tip = byId("tip");
function showTip(token, x, y) {
  tip.replaceChildren(...describe(token));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const beyond = x + 14 + box.width > innerWidth;
  tip.style.left = `${Math.max(6, beyond ? x - 14 - box.width : x + 14)}px`;
  tip.style.top = `${Math.max(6, Math.min(y + 14, innerHeight - box.height - 6))}px`;
}
const hideTip = () => { tip.hidden = true; };

// The nearest point that lies in the direction of an arrow key.
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
function towards(from, [dx, dy]) {
  let best = null;
  let least = Infinity;
  for (const number of points.keys()) {
    const [x, y] = [tokens[number].x - tokens[from].x, tokens[number].y - tokens[from].y];
    const along = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    const far = along + 2 * aside;
    if (number !== from && along > 0.5 && aside <= 1.5 * along + 1 && far < least) {
      [best, least] = [number, far];
    }
  }
  return best;
}

function moveCursor(event) {
  if (event.key === "Escape") return hideTip();
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    if (cursor !== null) choose({ token: cursor });
    return undefined;
  }
  if (!ARROWS[event.key] || !points.size) return undefined;
  event.preventDefault();
  const start = cursor ?? (points.has(state.token) ? state.token : points.keys().next().value);
  cursor = towards(start, ARROWS[event.key]) ?? start;
  ring(cursorRing, cursor);
  const box = points.get(cursor).getBoundingClientRect();
  showTip(cursor, box.right, box.bottom);
  picture.setAttribute("aria-label", tip.textContent);
  return undefined;
}

// Fingers are wider than points: the nearest one within reach is meant.
const REACH = 12;
function tokenAt({ clientX, clientY }) {
  const turn = picture.getScreenCTM();
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(turn.inverse());
  let best = null;
  let least = Math.max(REACH / turn.a, radius);
  for (const number of points.keys()) {
    const far = Math.hypot(tokens[number].x - x, tokens[number].y - y);
    if (far < least) [best, least] = [number, far];
  }
  return best;
}

// A rectangle drawn with the mouse chooses the tokens in it.
function makeBrush() {
  const box = drawn("rect", { class: "cursor", visibility: "hidden" });
  picture.append(box);
  let start = null;
  const at = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    return [point.x, point.y];
  };
  const span = (a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])];
  picture.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && event.button === 0 && tokenAt(event) === null) start = at(event);
  });
  addEventListener("pointermove", (event) => {
    if (!start) return;
    const [x, y, width, height] = span(start, at(event));
    fill(box, { x, y, width, height, visibility: "visible" }, []);
  });
  addEventListener("pointerup", (event) => {
    if (!start) return;
    const [x, y, width, height] = span(start, at(event));
    start = null;
    box.setAttribute("visibility", "hidden");
    const inside = [...points.keys()].filter((number) =>
      tokens[number].x >= x && tokens[number].x <= x + width && tokens[number].y >= y && tokens[number].y <= y + height);
    choose({ chosen: inside.length && width + height > 6 ? new Set(inside) : null });
  });
  picture.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse") event.preventDefault(); // no selection of text
    picture.focus({ preventScroll: true });
  });
}

function startMap() {
  makeMap();
  makeBrush();
  makeLegend();
  colourMap();
  ring(halo, state.token);
  picture.addEventListener("pointermove", (event) => {
    const token = tokenAt(event);
    if (token === null) hideTip();
    else showTip(token, event.clientX, event.clientY);
  });
  picture.addEventListener("pointerleave", hideTip);
  picture.addEventListener("blur", () => { hideTip(); cursor = null; ring(cursorRing, null); });
  picture.addEventListener("keydown", moveCursor);
  picture.addEventListener("click", (event) => {
    const token = tokenAt(event);
    if (token !== null) choose({ token });
  });
  whenChanged((changed) => {
    if (changed.has("language") || changed.has("expression")) makeLegend();
    if (changed.has("language") || changed.has("all") || FILTERS.some((name) => changed.has(name))) colourMap();
    ring(halo, state.token);
  });
}
