// Expressions as colours and shapes: the first eight have their own, the others share a grey.
const OWN = 8;
const RARE = -1;
const NONE = -2;

// What a token looks like in a language: that of its most frequent expression.
function lookOf(language, token) {
  const ranks = ranksOf(language, token);
  if (!ranks || !ranks.length) return NONE;
  const best = Math.min(...ranks);
  return best < OWN ? best : RARE;
}

const classOf = (look) => (look >= 0 ? `c${look}` : look === RARE ? "rare" : "hollow");

function currentColours() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(name).trim();
  const own = Array.from({ length: OWN }, (_, rank) => read(`--c${rank}`));
  return {
    of: (look) => (look >= 0 ? own[look] : read(look === RARE ? "--rare" : "--none")),
    ink: read("--ink"), soft: read("--soft"), line: read("--line"), card: read("--card"),
    focus: read("--focus"), edge: read("--edge"), wash: read("--wash"),
  };
}

const polygon = (corners) =>
  `M${corners.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join("L")}Z`;

const turned = (n, start, r) =>
  Array.from({ length: n }, (_, i) => {
    const angle = start + (2 * Math.PI * i) / n;
    return [r * Math.cos(angle), r * Math.sin(angle)];
  });

const circle = (r) => `M${-r},0a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0Z`;

function cross(r) {
  const t = r * 0.38;
  return polygon([[-t, -r], [t, -r], [t, -t], [r, -t], [r, t], [t, t],
    [t, r], [-t, r], [-t, t], [-r, t], [-r, -t], [-t, -t]]);
}

// Areas look alike, whatever the shape.
const SHAPES = [
  circle,
  (r) => polygon(turned(4, Math.PI / 4, 1.25 * r)),
  (r) => polygon(turned(3, -Math.PI / 2, 1.4 * r)),
  (r) => polygon(turned(4, 0, 1.35 * r)),
  (r) => polygon(turned(3, Math.PI / 2, 1.4 * r)),
  (r) => cross(1.25 * r),
  (r) => polygon(turned(3, 0, 1.4 * r)),
  (r) => polygon(turned(3, Math.PI, 1.4 * r)),
];
const shapeOf = (look, r) => (look >= 0 ? SHAPES[look](r) : circle(look === RARE ? r * 0.8 : r * 0.75));
