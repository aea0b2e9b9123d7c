// Boxes that scroll sideways: their edge fades where there is more, and what a row is on stays in view.
const ROOM = 0.4; // of a box, which a label that stays may take

// The place of the label that stays: the first that is a text, such as the name after a rank.
function heldPlace(box) {
  const labels = [...box.querySelectorAll("tbody tr:first-child > th")].slice(0, 2);
  const place = labels.findIndex((one) => !one.classList.contains("number"));
  const fits = place >= 0 && labels[place].offsetWidth < box.clientWidth * ROOM;
  return fits && box.scrollWidth > box.clientWidth + 1 ? place + 1 : 0;
}

function lookAside(box) {
  box.toggleAttribute("data-more", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
  const place = heldPlace(box);
  if (place) box.dataset.held = place;
  else delete box.dataset.held;
}

const sides = new ResizeObserver((changes) => {
  for (const box of new Set(changes.map(({ target }) => target.closest(".scroll, .plot")))) if (box) lookAside(box);
});
function followSides(box) {
  box.addEventListener("scroll", () => lookAside(box), { passive: true });
  sides.observe(box);
  sides.observe(box.firstElementChild); // the table or the picture, which may change
}
