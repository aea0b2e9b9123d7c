// Charts are drawn one after another, what is near the window first, so that the page stays quick.
const frames = []; // of a figure each: { node, picture, data(), result, drawn, turn }
const idle = window.requestIdleCallback
  ? (action) => window.requestIdleCallback(action, { timeout: 400 })
  : (action) => setTimeout(action, 20);
const root = document.documentElement;
let working = false;

function tellDrawn() {
  const done = frames.filter((frame) => frame.drawn).length;
  root.dataset.drawn = `${done}/${frames.length}`;
  if (done === frames.length) document.dispatchEvent(new CustomEvent("tealeaves:drawn"));
}

async function draw(frame, { dark = isDark(), renderer = frame.data().renderer } = {}) {
  const turn = ++frame.turn;
  const fresh = element("div", { "aria-hidden": "true" }); // the picture around it says what it is
  let result = null;
  try {
    result = await drawnChart(fresh, frame.data(), { dark, renderer });
  } catch (error) {
    console.error(error);
    fresh.append(element("p", { class: "note" }, "This chart could not be drawn. Its table is here: see the button."));
  }
  if (turn !== frame.turn) { // something else was chosen meanwhile
    result?.finalize();
    return;
  }
  frame.result?.finalize();
  Object.assign(frame, { result, drawn: true, dark, renderer });
  frame.picture.replaceChildren(fresh);
  frame.node.toggleAttribute("data-failed", !result);
  markScrolling(frame);
  tellDrawn();
}

// What can be scrolled can be reached by keys.
function markScrolling(frame) {
  const plot = frame.picture.parentElement;
  const wide = plot.scrollWidth > plot.clientWidth + 1;
  for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", `${frame.data().title}: scrolls sideways`]]) {
    if (wide) plot.setAttribute(name, value);
    else plot.removeAttribute(name);
  }
}

function distance(frame) {
  const { top, bottom } = frame.node.getBoundingClientRect();
  return Math.max(0, top - innerHeight, -bottom);
}

function work() {
  if (working) return;
  working = true;
  idle(async () => {
    const waiting = frames.filter((frame) => !frame.drawn);
    const [next] = waiting.sort((one, other) => distance(one) - distance(other));
    if (next) await draw(next);
    working = false;
    if (frames.some((frame) => !frame.drawn)) work(); // there may be new ones by now
  });
}

function drawAnew(some = frames) {
  for (const frame of some) Object.assign(frame, { drawn: false, turn: frame.turn + 1 });
  tellDrawn();
  work();
}

const widths = new ResizeObserver(() => frames.filter((frame) => frame.drawn).forEach(markScrolling));

function addFrame(node, data) {
  const frame = { node, picture: node.querySelector(".picture"), data, drawn: false, turn: 0 };
  frames.push(frame);
  widths.observe(frame.picture.parentElement);
  followSides(frame.picture.parentElement);
  return frame;
}

// Paper is light, and has no pixels. What is drawn for it is drawn before the browser goes on: no step waits.
addEventListener("beforeprint", () => {
  for (const frame of frames) {
    if (!frame.drawn || frame.dark || frame.renderer !== "svg") draw(frame, { dark: false, renderer: "svg" });
  }
});
addEventListener("afterprint", () => {
  drawAnew(frames.filter((frame) => frame.dark !== isDark() || frame.renderer !== frame.data().renderer));
});
