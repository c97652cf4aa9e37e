// Ribbons: every document a strip of topic colours in reading order, on a canvas that only draws what is in sight.

import { add, counted, h, percent, shortened, whole } from "./dom.js";

const ORDERS = [["by_likeness", "likeness"], ["by_length", "length"], ["by_oddness", "oddness"]];
const GUTTER = 12;

export function drawRibbons(main, data, context) {
  const board = { data, context, order: data.by_likeness, stretch: false, row: 0, cell: 0, only: null, texts: new Map() };
  board.height = data.states.length > 400 ? 7 : data.states.length > 120 ? 10 : 15;
  board.longest = Math.max(...data.states.map((states) => states.length));
  board.canvas = h("canvas", { tabindex: 0, id: "ribbons", role: "application", "aria-describedby": "ribbons-help",
    "aria-label": "Documents as strips of topics" });
  board.scroller = h("div", { class: "ribbon-scroller" }, h("div", { class: "ribbon-sheet" }, board.canvas));
  board.said = h("div", { class: "readout", "aria-live": "polite", id: "readout" });
  add(main, h("h1", {}, `${counted(data.n_documents, "document")}, sentence by sentence`),
    h("p", { class: "lead" }, "A strip is a document, a cell a sentence in the colour of its topic: blue topics open documents, red ones close them. ",
      "Where a strip breaks the run from blue to red, a document leaves the usual order."),
    notices(data),
    controls(board),
    h("p", { id: "ribbons-help", class: "small quiet" }, "Hover over a cell for its sentence, click it for the document. By keyboard: arrow keys and Enter."),
    board.scroller, board.said);
  listen(board);
  new ResizeObserver(() => draw(board)).observe(board.scroller);
  document.addEventListener("scheme", () => draw(board));
  tell(board);
}

function notices(data) {
  return [
    data.unknown > 0.3 && h("p", { class: "notice warn" }, `The model has never seen ${percent(data.unknown)} of the words of these documents. `,
      "If they are of another kind, or in another language, its topics say little about them."),
    data.states.length < data.n_documents && h("p", { class: "notice" }, `Here are the first ${whole(data.states.length)}.`),
  ];
}

function controls(board) {
  const { data, context } = board;
  const sort = h("select", { id: "sort", onchange: () => {
    board.order = data[sort.value];
    board.row = 0;
    board.scroller.scrollTop = 0;
    draw(board);
    tell(board);
  } }, ORDERS.map(([key, text]) => h("option", { value: key }, text)));
  const only = h("select", { id: "highlight", onchange: () => {
    board.only = only.value === "" ? null : Number(only.value);
    draw(board);
  } }, h("option", { value: "" }, "all topics"),
  [...context.names].sort((a, b) => a.rank - b.rank).map((name) => h("option", { value: name.state },
    `${name.is_insertion ? "etc" : name.state} ${shortened(context.label(name.state), 44)}`)));
  const stretch = h("input", { type: "checkbox", id: "stretch", onchange: () => {
    board.stretch = stretch.checked;
    draw(board);
  } });
  return h("div", { class: "controls" }, h("label", {}, "Sort by", sort), h("label", {}, "Show", only),
    h("label", {}, stretch, "all of one width"));
}

function draw(board) {
  const { data, canvas, scroller, order } = board;
  const [width, height] = [scroller.clientWidth, scroller.clientHeight];
  const ratio = globalThis.devicePixelRatio || 1;
  canvas.parentElement.style.setProperty("height", `${order.length * board.height + 2 * GUTTER}px`);
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.setProperty("width", `${width}px`);
  canvas.style.setProperty("height", `${height}px`);
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  board.width = width - 2 * GUTTER;
  const first = Math.max(0, Math.floor((scroller.scrollTop - GUTTER) / board.height));
  const last = Math.min(order.length, first + Math.ceil(height / board.height) + 1);
  const ink = getComputedStyle(document.body).color;
  for (let row = first; row < last; row += 1) {
    const y = GUTTER + row * board.height - scroller.scrollTop;
    drawStrip(board, pen, data.states[order[row]], y);
    if (row === board.row) {
      const [x, cell] = cellAt(board, data.states[order[row]].length, board.cell);
      pen.strokeStyle = ink;
      pen.lineWidth = 2;
      pen.strokeRect(x - 0.5, y - 0.5, cell + 1, board.height);
      pen.fillStyle = ink;
      pen.fillRect(2, y, 5, board.height - 1);
    }
  }
}

function cellAt(board, n, i) {
  const cell = Math.min(board.width / (board.stretch ? n : board.longest), board.stretch ? Infinity : 46);
  return [GUTTER + i * cell, Math.max(cell - (cell > 4 ? 1 : 0), 0.5)];
}

function drawStrip(board, pen, states, y) {
  const { context } = board;
  states.forEach((state, i) => {
    const [x, width] = cellAt(board, states.length, i);
    pen.globalAlpha = board.only === null || board.only === state ? 1 : 0.12;
    pen.fillStyle = context.colours[state];
    pen.fillRect(x, y, width, board.height - 1);
    if (context.names[state].is_insertion) hatch(pen, x, y, width, board.height - 1);
    else if (board.height >= 14 && width >= 22) {
      pen.fillStyle = context.inks[state];
      pen.font = "600 9px system-ui, sans-serif";
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillText(String(state), x + width / 2, y + board.height / 2);
    }
  });
  pen.globalAlpha = 1;
}

// Everything else is told by a pattern, not by its grey alone.
function hatch(pen, x, y, width, height) {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, width, height);
  pen.clip();
  pen.strokeStyle = "#f4f4f4";
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (let at = x - height; at < x + width; at += 5) {
    pen.moveTo(at, y + height);
    pen.lineTo(at + height, y);
  }
  pen.stroke();
  pen.restore();
}

function under(board, event) {
  const box = board.canvas.getBoundingClientRect();
  const row = Math.floor((event.clientY - box.top + board.scroller.scrollTop - GUTTER) / board.height);
  if (row < 0 || row >= board.order.length) return null;
  const n = board.data.states[board.order[row]].length;
  const [start] = cellAt(board, n, 0);
  const [next] = cellAt(board, n, 1);
  const cell = Math.floor((event.clientX - box.left - start) / (next - start));
  return cell >= 0 && cell < n ? { row, cell } : null;
}

function listen(board) {
  const { canvas, scroller } = board;
  scroller.addEventListener("scroll", () => draw(board));
  canvas.addEventListener("mousemove", (event) => {
    const at = under(board, event);
    canvas.style.setProperty("cursor", at ? "pointer" : "default");
    if (at) go(board, at.row, at.cell);
  });
  canvas.addEventListener("click", (event) => {
    const at = under(board, event);
    if (at) location.href = board.context.link(`/documents/${board.order[at.row]}`);
  });
  canvas.addEventListener("keydown", (event) => onKey(board, event));
}

function onKey(board, event) {
  const steps = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], PageDown: [20, 0], PageUp: [-20, 0] };
  if (event.key === "Enter") location.href = board.context.link(`/documents/${board.order[board.row]}`);
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  const row = Math.min(Math.max(board.row + step[0], 0), board.order.length - 1);
  const n = board.data.states[board.order[row]].length;
  go(board, row, Math.min(Math.max(board.cell + step[1], 0), n - 1));
  const y = GUTTER + row * board.height;
  const { scroller } = board;
  if (y < scroller.scrollTop) scroller.scrollTop = y - GUTTER;
  if (y + board.height > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = y + 2 * board.height - scroller.clientHeight;
}

function go(board, row, cell) {
  if (board.row === row && board.cell === cell) return;
  Object.assign(board, { row, cell });
  draw(board);
  tell(board);
}

// Says what is under the pointer; texts are only asked for when somebody stays.
function tell(board) {
  const { data, context, row, cell, said } = board;
  const number = board.order[row];
  const state = data.states[number][cell];
  const text = h("p", { class: "sentence", dir: "auto" }, board.texts.get(number)?.[cell] ?? "…");
  said.replaceChildren(
    h("p", { class: "small quiet" }, h("a", { href: context.link(`/documents/${number}`) }, h("bdi", {}, data.ids[number])),
      `, sentence ${cell + 1} of ${data.states[number].length} `, context.chip(state)),
    text);
  if (board.texts.has(number)) return;
  clearTimeout(board.waiting);
  board.waiting = setTimeout(async () => {
    try {
      const page = await context.fetch(`/documents/${number}`);
      board.texts.set(number, page.sentences.map((sentence) => sentence.pieces.map(([piece]) => piece).join("")));
    } catch (error) {
      board.texts.set(number, data.states[number].map(() => error.message));
    }
    if (board.order[board.row] === number) tell(board);
  }, 60);
}
