// Numbers as tables write them: as tables.py does, to the last digit.
const DASH = "–";
const LARGE = 1e9; // from here on with an exponent,
const SMALL = -4; // and so below this power of ten
const EXACT = 60; // decimals after which no number of this page goes on
const ENDLESS = { inf: "∞", "-inf": "−∞" }; // JSON has no numbers for these

function cellText(value, digits) {
  if (value === null) return DASH;
  if (typeof value === "string") return ENDLESS[value] ?? value;
  const [sign, size] = [value < 0 ? "−" : "", Math.abs(value)];
  const usual = size === 0 || Number(`1e-${digits}`) <= size && size < LARGE;
  return sign + (usual ? evenly(size.toFixed(digits), size.toFixed(EXACT), digits) : shortNumber(size));
}

// The two digits that count.
function shortNumber(size) {
  const [up, power] = size.toExponential(1).split("e");
  const [exact, lower] = size.toExponential(EXACT).split("e");
  const figures = evenly(up, exact, 1);
  const exponent = Number(figures === up ? power : lower);
  if (SMALL <= exponent && exponent < 0) return `0.${"0".repeat(-exponent - 1)}${figures.replace(".", "")}`;
  return `${figures}e${exponent}`.replace("-", "−");
}

// What lies exactly in the middle goes to the even digit, where browsers go away from zero.
function evenly(written, exact, digits) {
  const end = exact.indexOf(".") + (digits ? 1 + digits : 0);
  if (!/^\.?50*$/.test(exact.slice(end))) return written;
  const down = exact.slice(0, end);
  return Number(down.at(-1)) % 2 ? written : down;
}
