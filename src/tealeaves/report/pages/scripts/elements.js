// Elements of the page. Words of users are put in as text, never as markup.
function fill(node, given, children) {
  for (const [name, value] of Object.entries(given)) {
    if (name === "on") {
      for (const [event, action] of Object.entries(value)) node.addEventListener(event, action);
    } else if (value !== undefined && value !== null && value !== false) {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}
const element = (tag, given = {}, ...children) => fill(document.createElement(tag), given, children);
const byId = (id) => document.getElementById(id);
