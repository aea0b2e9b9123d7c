// Small maps of all languages; one that is pressed becomes the large one.
function drawSmall(canvas, language, colours) {
  const wide = 160;
  const scale = wide / data.map.width;
  const high = Math.ceil(data.map.height * scale);
  const dense = Math.min(2, devicePixelRatio || 1);
  canvas.width = wide * dense;
  canvas.height = high * dense;
  const pen = canvas.getContext("2d");
  pen.scale(dense, dense);
  const size = Math.max(1.6, data.map.radius * scale * 1.25);
  const looks = tokens.map((_, number) => lookOf(language, number));
  // the rare above the frequent, which would hide them
  const order = [NONE, 0, 1, 2, 3, 4, 5, 6, 7, RARE];
  for (const look of order) {
    pen.fillStyle = colours.of(look);
    pen.strokeStyle = colours.soft;
    pen.lineWidth = 0.5;
    tokens.forEach((token, number) => {
      if (!token.placed || looks[number] !== look) return;
      pen.beginPath();
      pen.arc(token.x * scale, token.y * scale, size, 0, 2 * Math.PI);
      pen.fill();
      if (look === NONE) pen.stroke();
    });
  }
}

function startMultiples() {
  const place = byId("multiples");
  if (!place) return;
  const buttons = languages.map(({ code, expressions }, language) => {
    const canvas = element("canvas", { "aria-hidden": "true" });
    const press = () => choose({ language });
    return element("button", { type: "button", title: code, on: { click: press } },
      element("b", {}, nameOf(code)), canvas, element("small", {}, counted(expressions.length, "expression")));
  });
  const draw = () => {
    const colours = currentColours();
    buttons.forEach((button, language) => drawSmall(button.querySelector("canvas"), language, colours));
  };
  const press = () => buttons.forEach((button, language) =>
    button.setAttribute("aria-pressed", String(language === state.language)));
  place.append(...buttons);
  draw();
  press();
  whenChanged((changed) => { if (changed.has("language")) press(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}
