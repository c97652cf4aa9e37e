// The flow page: what documents are made of in three columns, the graph of topics, and all topics as a table.

import { sparkline } from "./context.js";
import { add, counted, h, labelNodes, percent, s, whole } from "./dom.js";
import { NUMBERED, placeLabels, placeNodes } from "./flow_layout.js";

const NARROW = 640;

export function drawFlow(main, data, context) {
  const nTopics = data.topics.length - 1;
  add(main, h("h1", {}, `How ${counted(data.n_documents, "document")} of one kind are put together`),
    h("p", { class: "lead" }, "Learned from ", h("strong", {}, counted(data.n_sentences, "sentence")), ": ",
      h("strong", {}, counted(nTopics, "topic")),
      ", the order in which they come, and what most often follows what. Numbers are names of topics; ",
      "colours run from topics that open a document (blue) to those that close it (red)."),
    anatomy(data, context),
    h("h2", {}, "From start to end"),
    graphBoard(data, context),
    h("h2", {}, "All topics, in reading order"),
    table(data, context),
    h("p", { class: "quiet small" }, data.signature),
  );
}

function anatomy(data, context) {
  return h("div", { class: "anatomy" }, data.parts.map((part) => h("section", {},
    h("h3", {}, part.title),
    h("ol", {}, part.topics.map((topic) => h("li", {},
      h("div", { class: "row" }, context.chip(topic.state),
        h("span", { class: "number quiet small", title: "of the sentences in this part" }, percent(topic.share))),
      topic.example && h("blockquote", { dir: "auto" }, topic.example.text)))))));
}

function graphBoard(data, context) {
  const board = h("div", { class: "flow-board" });
  const holder = h("div", {});
  const panel = h("aside", { class: "panel", "aria-live": "polite", id: "flow-panel" });
  const output = h("output", {});
  const slider = h("input", { type: "range", id: "flow-threshold", min: 0, max: 100, step: 1 });
  const graph = { data, context, holder, panel, chosen: null, threshold: data.shown_from };
  // The slider goes through the steps by their rank, so that each notch fades about as many.
  const sorted = data.steps.map((step) => step.probability);
  const at = (value) => sorted[Math.min(sorted.length - 1, Math.round((1 - value / 100) ** 2 * (sorted.length - 1)))] ?? 0;
  const first = sorted.filter((probability) => probability >= data.shown_from).length - 1;
  slider.value = String(Math.round(100 * (1 - Math.sqrt(Math.max(first, 0) / Math.max(sorted.length - 1, 1)))));
  const update = () => {
    graph.threshold = at(Number(slider.value));
    output.textContent = percent(graph.threshold, 1);
    fade(graph);
  };
  slider.addEventListener("input", update);
  board.append(
    h("div", {},
      h("div", { class: "controls" }, h("label", { class: "wide" },
        h("span", { class: "number" }, "Fade steps below"), slider, output)),
      holder),
    panel,
  );
  const draw = () => {
    drawGraph(graph);
    update();
  };
  let width = 0;
  new ResizeObserver(() => {
    if (holder.clientWidth && Math.abs(holder.clientWidth - width) > 8) {
      width = holder.clientWidth;
      draw();
    }
  }).observe(holder);
  choose(graph, null);
  return board;
}

function drawGraph(graph) {
  const { data, context, holder } = graph;
  const width = Math.max(holder.clientWidth, 280);
  const down = width < NARROW;
  const n = data.topics.length;
  const long = down ? Math.max(700, Math.min(1800, 26 * n)) : width;
  const wide = down ? width : Math.min(760, Math.max(340, 300 + 4 * n));
  const pad = down ? 70 : 92;
  const topics = data.topics.filter((topic) => !context.names[topic.state].is_insertion || topic.n_sentences > 0);
  const nodes = placeNodes(topics, { along: long, across: wide, pad, largest: n > 60 ? 20 : 26 });
  for (const node of nodes) [node.x, node.y] = down ? [node.across, node.along] : [node.along, node.across];
  const [w, height] = down ? [wide, long] : [long, wide];
  const start = { x: down ? wide / 2 : 26, y: down ? 22 : wide / 2, radius: 6 };
  const end = { x: down ? wide / 2 : long - 26, y: down ? long - 22 : wide / 2, radius: 6 };
  graph.places = new Map(nodes.map((node) => [node.state, node]));
  const at = (state, edge) => (state === null ? edge : graph.places.get(state));
  graph.steps = [...data.steps].reverse().map((step) => ({
    step,
    element: s("path", {
      class: "step", d: curve(at(step.source, start), at(step.target, end), down),
      "stroke-width": Math.max(0.6, 14 * step.probability),
    }, s("title", {}, stepTitle(step, context))),
  }));
  graph.nodes = nodes.map((node) => ({ node, element: nodeElement(graph, node) }));
  const labels = placeLabels(nodes, w, height, (state) => context.label(state));
  holder.replaceChildren(s("svg", {
    class: "graph", viewBox: `0 0 ${w} ${height}`, role: "group",
    "aria-label": "Topics from the start of a document to its end; the table below has the same as text",
  },
  s("g", {}, graph.steps.map((step) => step.element)),
  edgeMark(start, "start", down), edgeMark(end, "end", down),
  s("g", {}, graph.nodes.map((item) => item.element)),
  s("g", {}, labels.map((label) => labelElement(graph, label)))));
}

function curve(from, to, down) {
  // A step back bends the other way, so that both directions between two topics can be seen.
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const back = (down ? dy : dx) < 0;
  const reach = Math.max(24, Math.abs(down ? dy : dx) * 0.45);
  const bend = back ? Math.min(0.35 * Math.hypot(dx, dy) + 18, 110) : 0;
  return down
    ? `M${from.x} ${from.y}C${from.x + bend} ${from.y + (back ? -reach : reach)} ${to.x + bend} ${to.y + (back ? reach : -reach)} ${to.x} ${to.y}`
    : `M${from.x} ${from.y}C${from.x + (back ? -reach : reach)} ${from.y - bend} ${to.x + (back ? reach : -reach)} ${to.y - bend} ${to.x} ${to.y}`;
}

function edgeMark(at, text, down) {
  return s("g", {}, s("circle", { cx: at.x, cy: at.y, r: 6, fill: "currentColor" }),
    s("text", { class: "edge-label halo", x: down ? at.x + 12 : at.x, y: down ? at.y + 4 : at.y + 24,
      "text-anchor": down ? "start" : "middle" }, text));
}

function nodeElement(graph, node) {
  const { context } = graph;
  const { state } = node;
  const insertion = context.names[state].is_insertion;
  const pick = () => choose(graph, state);
  const show = node.radius >= NUMBERED;
  return s("g", {
    class: "node", tabindex: 0, role: "button", "data-state": state,
    "aria-label": `Topic ${state}: ${context.label(state)}, in ${percent(node.topic.document_share)} of the documents`,
    onclick: pick,
    onkeydown: (event) => onKey(graph, event, state),
  },
  s("title", {}, `${state}: ${context.label(state)}`),
  s("circle", { cx: node.x, cy: node.y, r: node.radius, fill: context.colours[state], "stroke-dasharray": insertion ? "3 2" : null }),
  show && s("text", { class: "in-node", x: node.x, y: node.y, style: { fill: context.inks[state] } },
    insertion ? "etc" : String(state)));
}

function onKey(graph, event, state) {
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    choose(graph, state);
    return;
  }
  const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!move) return;
  event.preventDefault();
  const place = graph.nodes.findIndex((item) => item.node.state === state);
  graph.nodes[(place + move + graph.nodes.length) % graph.nodes.length].element.focus();
}

function labelElement(graph, label) {
  const element = s("text", { class: "halo", "text-anchor": label.anchor, x: label.x, y: label.y },
    label.lines.map((line, i) => s("tspan", { x: label.x, dy: i ? 14 : 0 }, line)));
  const item = graph.nodes.find(({ node }) => node.state === label.state);
  item.label = element;
  return element;
}

function stepTitle(step, context) {
  const from = step.source === null ? "the start" : `${step.source} ${context.label(step.source)}`;
  const to = step.target === null ? "the end" : `${step.target} ${context.label(step.target)}`;
  return `${from} → ${to}: ${percent(step.probability, 1)}, ${counted(step.n_documents, "document")}`;
}

function fade(graph) {
  const lit = new Set();
  for (const { step, element } of graph.steps ?? []) {
    const touches = graph.chosen !== null && (step.source === graph.chosen || step.target === graph.chosen);
    const strong = step.probability >= graph.threshold;
    element.classList.toggle("faded", !(graph.chosen === null ? strong : touches));
    element.classList.toggle("hot", touches && strong);
    if (graph.chosen === null ? strong : touches) lit.add(step.source).add(step.target);
  }
  for (const { node, element, label } of graph.nodes ?? []) {
    const faded = !lit.has(node.state) && node.state !== graph.chosen;
    element.classList.toggle("faded", faded);
    element.classList.toggle("chosen", node.state === graph.chosen);
    if (label) label.style.opacity = faded ? "0" : "1";
  }
}

function choose(graph, state) {
  graph.chosen = state === graph.chosen ? null : state;
  const { data, context, panel } = graph;
  fade(graph);
  if (graph.chosen === null) {
    panel.replaceChildren(
      h("h3", {}, "How to read it"),
      h("p", { class: "quiet" }, "Each circle is a topic; the larger it is, the more documents hold it. It stands where ",
        "its sentences stand in a document. A line is a step from one sentence to the next, as thick as it is probable."),
      h("p", { class: "quiet" }, "Choose a topic to see what comes before and after it. Hover for a name; arrow keys go from topic to topic."),
    );
    return;
  }
  const topic = data.topics.find((item) => item.state === state);
  const into = data.steps.filter((step) => step.target === state).slice(0, 6);
  const out = data.steps.filter((step) => step.source === state).slice(0, 6);
  const list = (steps, key, edge) => h("ol", {}, steps.map((step) => h("li", {},
    context.neighbour(step[key], edge), h("span", { class: "number quiet" }, percent(step.probability, 1)))));
  panel.replaceChildren(
    h("h3", {}, context.number(state), " ", h("bdi", {}, labelNodes(context.names[state].label))),
    h("p", {}, `In ${percent(topic.document_share)} of the documents (${whole(topic.n_documents)}); on average `,
      `${percent(topic.position)} of the way through.`),
    sparkline(topic.positions, context.colours[state], "where its sentences stand"),
    h("h4", {}, "Comes after"), list(into, "source", "the start"),
    h("h4", {}, "Is followed by"), list(out, "target", "the end"),
    h("p", {}, h("a", { href: context.link(`/topics/${state}`) }, "More on this topic")),
  );
}

function table(data, context) {
  const head = ["Topic", "Documents", "Begin to end", "Most often followed by"];
  const rows = data.topics.map((topic) => {
    const out = data.steps.filter((step) => step.source === topic.state).slice(0, 2);
    return h("tr", {},
      h("td", {}, context.chip(topic.state)),
      h("td", { class: "number" }, percent(topic.document_share)),
      h("td", {}, sparkline(topic.positions, context.colours[topic.state],
        `on average ${percent(topic.position)} of the way through`)),
      h("td", {}, out.map((step, i) => [i ? ", " : "", context.neighbour(step.target, "the end"), " ",
        h("span", { class: "number quiet small" }, percent(step.probability, 1))])));
  });
  return h("div", { class: "table-scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, head.map((text, i) => h("th", { scope: "col", class: i === 1 ? "number" : null }, text)))),
    h("tbody", {}, rows)));
}
