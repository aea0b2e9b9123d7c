// Charts in the browser: drawn by Vega, without a network and without making code of text.
function merged(base, own) {
  if (own === undefined) return base;
  if (own === null || typeof own !== "object" || Array.isArray(own)) return own; // null is a choice, too
  const names = new Set([...Object.keys(base ?? {}), ...Object.keys(own)]);
  return Object.fromEntries([...names].map((name) => [name, merged(base?.[name], own[name])]));
}

function specOf(data, dark) {
  const spec = dark ? darkSpec(data.spec) : data.spec;
  const datasets = Object.fromEntries(Object.entries(data.datasets).map(([name, rows]) => [name, unpacked(rows)]));
  return {
    ...spec,
    datasets,
    description: data.caption || data.title,
    config: merged(dark ? darkConfig : lightConfig, spec.config ?? {}),
  };
}

const TOOLTIP = { theme: "page", disableDefaultStyle: true };
function drawnChart(node, data, { dark, renderer }) {
  const options = { mode: "vega-lite", actions: false, ast: true, renderer, defaultStyle: false, tooltip: TOOLTIP };
  return window.vegaEmbed(node, specOf(data, dark), options);
}

// The chart as a picture of its own: light, as paper is, and saying what it shows.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g; // no XML has them
const inXml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
async function svgOf(data) {
  const result = await drawnChart(element("div"), data, { dark: false, renderer: "none" });
  const text = await result.view.toSVG();
  result.finalize();
  const said = `<title>${inXml(data.title)}</title><desc>${inXml(data.caption)}</desc>`;
  return text.replace(/^(<svg[^>]*>)/, (start) => start + said).replace(CONTROLS, "");
}
const saveSvg = async (data) => save(await svgOf(data), fileName(data.name, "svg"), "image/svg+xml");
