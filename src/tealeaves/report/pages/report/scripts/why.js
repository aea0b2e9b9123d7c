// Why a word is marked: the browser shows it to a pointer, this box to keys and fingers.
const whyBox = byId("page-why");

function showWhy(word) {
  whyBox.textContent = word.title;
  whyBox.hidden = false;
  placeWhy(word);
}

function placeWhy(word) {
  const { left, bottom, top } = word.getBoundingClientRect();
  const { width, height } = whyBox.getBoundingClientRect();
  const room = document.documentElement.clientWidth - width - 8;
  whyBox.style.left = `${Math.max(8, Math.min(left, room))}px`;
  whyBox.style.top = `${bottom + height + 14 < innerHeight ? bottom + 6 : top - height - 6}px`;
}
const hideWhy = () => { whyBox.hidden = true; };

function startWhy() {
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches?.(".word[title]")) showWhy(target);
    else hideWhy();
  });
  document.addEventListener("focusout", hideWhy);
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape") hideWhy(); });
  const follow = () => { if (!whyBox.hidden) placeWhy(document.activeElement); };
  addEventListener("scroll", follow, { passive: true, capture: true });
}
