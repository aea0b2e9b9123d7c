// The contents: where the reader is, and a menu that closes behind them.
function startContents() {
  const drop = document.querySelector(".drop");
  drop.addEventListener("click", ({ target }) => { if (target.closest("a")) drop.open = false; });
  drop.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !drop.open) return;
    drop.open = false;
    drop.querySelector("summary").focus();
  });
  document.addEventListener("click", ({ target }) => { if (!drop.contains(target)) drop.open = false; });
  const sections = [...document.querySelectorAll("main > section")];
  const look = () => showPlace(sections.filter((one, place) => isReached(one, place === sections.length - 1)).at(-1));
  addEventListener("scroll", () => requestAnimationFrame(look), { passive: true });
  look();
}

// The last section may be too short to come up: at the end of the page it is reached.
function isReached(section, last) {
  const atEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
  return last && atEnd || section.getBoundingClientRect().top <= innerHeight * 0.4;
}

function showPlace(section) {
  for (const link of document.querySelectorAll("nav a")) {
    const here = section && decodeURIComponent(link.hash) === `#${section.id}`;
    if (here) link.setAttribute("aria-current", "location");
    else link.removeAttribute("aria-current");
    const row = link.closest(".row");
    if (here && row) row.scrollLeft = link.offsetLeft - row.offsetLeft - row.clientWidth / 3;
  }
}
