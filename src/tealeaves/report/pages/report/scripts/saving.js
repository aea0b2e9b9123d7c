// Files that the reader keeps.
const fileName = (name, kind) => `${name.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80) || "figure"}.${kind}`;

function save(text, name, type) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = element("a", { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000); // some browsers read it late
}
const saveCsv = (data) => save(csvOf(data.table), fileName(data.name, "csv"), "text/csv");
