// Making elements. Text only ever enters a page as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, item] of Object.entries(value)) element.style.setProperty(key, item);
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

// Appends what is there: a condition that did not hold leaves null or false, which is nothing.
export function add(element, ...children) {
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}

export function h(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function s(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

export function percent(share, digits = 0) {
  if (share > 0 && share < 0.005 && !digits) return "<1%";
  return `${(100 * share).toFixed(digits)}%`;
}

export function whole(number) {
  return number.toLocaleString("en");
}

// A number that may be negative, with a minus sign instead of a hyphen.
export function decimal(number, digits = 2) {
  return number.toFixed(digits).replace("-", "−");
}

export function counted(number, thing) {
  return `${whole(number)} ${thing}${number === 1 ? "" : "s"}`;
}

const GENERIC = /(<(?:NAME|NUM|DATE|UNK|START)>)/;
const SPOKEN = { "<NAME>": "name", "<NUM>": "number", "<DATE>": "date", "<UNK>": "new word", "<START>": "start" };

// A label with its generic words set apart, as nodes for HTML.
export function labelNodes(label) {
  return label.split(GENERIC).map((part) => (SPOKEN[part] ? h("span", { class: "mask" }, SPOKEN[part]) : part));
}

// The same as plain text, for SVG, canvas and titles.
export function labelText(label) {
  return label.split(GENERIC).map((part) => (SPOKEN[part] ? `‹${SPOKEN[part]}›` : part)).join("");
}

// A sentence in pieces, with those marked that speak for its topic.
export function marked(pieces) {
  return pieces.map(([text, level]) => (level ? h("mark", { class: level > 1 ? "strong" : null }, text) : text));
}

export function shortened(text, width) {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join("").trimEnd()}…`;
}
