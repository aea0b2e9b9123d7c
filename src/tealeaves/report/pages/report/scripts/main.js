// Put all together.
for (const node of document.querySelectorAll("figure[data-source]")) startFigure(node);
for (const card of document.querySelectorAll(".card.data")) startTable(card);
for (const card of document.querySelectorAll(".card.code")) startCode(card);
startTheme();
startWhy();
startContents();
// what only works with scripts was hidden without them
for (const button of document.querySelectorAll("button[hidden]")) button.hidden = false;
tellDrawn();
work();
