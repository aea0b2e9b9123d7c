// Charts for a dark page. They are made for a light one: greys change places, colours become lighter.
const BRIGHT = {
  "#0072b2": "#4ba6e0", "#d55e00": "#f08a45", "#009e73": "#35c299", "#cc79a7": "#e09cc2",
  "#e69f00": "#f2b632", "#56b4e9": "#8ed0f7", "#7a4fbf": "#ae92e6", "#7a5c2e": "#c09c64", "#00263d": "#b9e0fb",
};
// the strong ends of ramps: white numbers can be read on them
const STRONG = { "#d55e00": "#b95000", "#00263d": "#b9e0fb" };
const NAMED = { white: "#ffffff", black: "#000000", grey: "#808080", gray: "#808080" };
const PAPER = [0x1c, 0x20, 0x25]; // the card of the dark page, and its ink
const NOTHING = "#f7f7f7"; // where ramps begin
const INK = [0xec, 0xea, 0xe5];

const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

function hexOf(text) {
  if (typeof text !== "string") return null;
  const lower = NAMED[text] ?? text.toLowerCase();
  if (/^#[0-9a-f]{6}$/.test(lower)) return lower;
  return /^#[0-9a-f]{3}$/.test(lower) ? lower.replace(/[0-9a-f]/g, "$&$&") : null;
}

// White becomes the paper, black the ink, and greys lie between them.
function turnedGrey(hex) {
  const [red, green, blue] = [1, 3, 5].map((start) => parseInt(hex.slice(start, start + 2), 16));
  if (Math.max(red, green, blue) - Math.min(red, green, blue) > 24) return null;
  const dark = 1 - (red + green + blue) / 765;
  const parts = PAPER.map((paper, place) => Math.round(paper + dark * (INK[place] - paper)));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

const isColour = (key) => /color|fill|stroke|background|^value$|^range$/i.test(key);

function darkColour(text, place) {
  const hex = hexOf(text);
  if (!hex || place.onCells && turnedGrey(hex) && hex > "#c") return text;
  return turnedGrey(hex) ?? (place.ramp ? STRONG : BRIGHT)[hex] ?? text;
}

// Text that is white on strong cells stays so, and so do the strong ends of a ramp: they go together.
function darkSpec(node, key = "", place = {}) {
  if (Array.isArray(node)) {
    const ramp = key === "range" && (place.interpolated || node.includes(NOTHING));
    return node.map((one) => darkSpec(one, key, ramp ? { ...place, ramp } : place));
  }
  if (node === null || typeof node !== "object") return isColour(key) ? darkColour(node, place) : node;
  const kind = typeof node.mark === "string" ? node.mark : node.mark?.type;
  const within = { ...place, text: kind ? kind === "text" : place.text, interpolated: "interpolate" in node };
  return Object.fromEntries(Object.entries(node).map(([name, value]) => {
    const inside = name === "encoding" && within.text ? { ...within, encoded: true } : within;
    const onCells = inside.encoded && /^(color|fill)$/.test(name) ? { ...inside, onCells: true } : inside;
    return [name, name === "data" ? value : darkSpec(value, name, onCells)];
  }));
}

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif";
const lightConfig = { font: FONT, aria: false, mark: { aria: false } }; // the table says it all
const rgb = (parts) => `rgb(${parts.join(",")})`;
const darkConfig = {
  ...lightConfig,
  background: rgb(PAPER),
  axis: { domainColor: "#8b9199", tickColor: "#8b9199", gridColor: "#343a42" },
  style: {
    "guide-label": { fill: rgb(INK) }, "guide-title": { fill: rgb(INK) },
    "group-title": { fill: rgb(INK) }, "group-subtitle": { fill: "#b4bac2" },
  },
  mark: { aria: false, color: "#4ba6e0" }, rule: { color: rgb(INK) }, text: { color: rgb(INK) }, tick: { color: rgb(INK) },
};
