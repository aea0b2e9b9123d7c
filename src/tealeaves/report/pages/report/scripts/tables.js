// Tables that the page was written with: sorting, all rows, and a file.
function startTable(card) {
  const node = card.querySelector("table");
  const data = dataOf(node.dataset.source);
  const live = liveTable(node, data.table);
  followSides(node.parentElement);
  card.querySelector("[data-do=csv]").addEventListener("click", () => saveCsv(data));
  const all = card.querySelector("[data-do=all]");
  all?.addEventListener("click", () => {
    live.showAll();
    all.remove();
    card.querySelector(".rest").remove();
    card.querySelector(".scroll").focus();
  });
}

function startCode(card) {
  const [button, text] = [card.querySelector("[data-do=copy]"), card.querySelector("code")];
  const [label] = button.childNodes;
  button.addEventListener("click", async () => {
    getSelection().selectAllChildren(text); // what can be copied by hand, where we may not
    try {
      await navigator.clipboard.writeText(text.textContent);
      label.data = "Copied";
    } catch {
      label.data = "Selected";
    }
    setTimeout(() => { label.data = "Copy"; }, 2000);
  });
}
