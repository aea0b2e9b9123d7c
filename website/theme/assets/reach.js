// What the theme leaves out for readers without a pointer or a screen: the search has a name, and
// wide tables can be scrolled with the keyboard.
window.addEventListener("load", () => {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
  const wide = document.querySelectorAll(".md-typeset__scrollwrap, .formula");
  for (const [number, part] of wide.entries()) {
    if (part.scrollWidth > part.clientWidth) {
      part.tabIndex = 0;
      part.setAttribute("role", "region");
      part.setAttribute("aria-label", part.matches(".formula") ? "Formula" : `Table ${number + 1}`);
    }
  }
});
