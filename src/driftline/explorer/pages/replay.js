// Training replay: columns are iterations, boxes are topics, bands are the sentences that went from one to another.

import { add, counted, h, percent, s, shortened, whole } from "./dom.js";

const ENDINGS = {
  converged: "Then no sentence moved any more.",
  cycle: "Then the topics began to repeat themselves.",
  diverged: "Then more and more sentences moved, and one topic would have swallowed others.",
  max_iterations: "That was the limit of iterations.",
};

export function drawReplay(main, data, context) {
  add(main, h("h1", {}, "How the topics settled"));
  if (data.told) {
    add(main, h("p", { class: "notice" }, data.told));
    return;
  }
  const last = data.iterations.length - 1;
  const moved = data.iterations.reduce((sum, iteration) => sum + iteration.n_moved, 0);
  const show = { data, context, at: Math.min(1, last) };
  show.holder = h("div", { class: "replay-graph" });
  show.moves = h("div", { id: "moves", "aria-live": "polite" });
  show.slider = h("input", { type: "range", id: "iteration", min: 0, max: last, step: 1, value: show.at,
    oninput: () => go(show, Number(show.slider.value)) });
  show.output = h("output", {});
  show.play = h("button", { type: "button", id: "play", onclick: () => play(show) }, "Play");
  add(main, h("p", { class: "lead" }, "Training begins with clusters of like sentences. Then each sentence goes to the topic that explains it best where it stands, ",
      "and the topics are learned anew. ", h("strong", {}, `${counted(moved, "move")} in ${counted(last, "iteration")}. `), ENDINGS[data.ending] ?? ""),
    h("div", { class: "controls" }, show.play, h("label", { class: "wide" }, "Iteration", show.slider, show.output)),
    show.holder, show.moves);
  let width = 0;
  new ResizeObserver(() => {
    if (Math.abs(show.holder.clientWidth - width) > 8) {
      width = show.holder.clientWidth;
      draw(show);
    }
  }).observe(show.holder);
  go(show, show.at);
}

function play(show) {
  clearTimeout(show.timer);
  const next = show.at >= show.data.iterations.length - 1 ? 0 : show.at + 1;
  go(show, next);
  if (next < show.data.iterations.length - 1) show.timer = setTimeout(() => play(show), 1400);
}

function go(show, at) {
  show.at = at;
  show.slider.value = String(at);
  show.output.textContent = at ? `${at} of ${show.data.iterations.length - 1}` : "the first clusters";
  draw(show);
  tell(show);
}

function colour(show, track) {
  const { state } = show.data.tracks[track];
  return state === null ? "#8a8a8a" : show.context.colours[state];
}

function name(show, track) {
  const { state, example } = show.data.tracks[track];
  return state === null ? `a cluster that ended (“${shortened(example, 40)}”)` : `${state} ${show.context.label(state)}`;
}

// The tracks as they stand in documents, and where each begins in a column of sentences.
function layout(show, height) {
  const { data } = show;
  const gap = Math.min(3, (height * 0.3) / data.tracks.length);
  const order = data.tracks.map((_, track) => track).sort((a, b) => isEtc(show, a) - isEtc(show, b) || data.tracks[a].position - data.tracks[b].position);
  const scale = (height - gap * data.tracks.length) / Math.max(data.n_sentences, 1);
  return data.iterations.map((iteration) => {
    let y = 0;
    const boxes = new Map();
    for (const track of order) {
      const tall = iteration.sizes[track] * scale;
      boxes.set(track, { y, tall, scale });
      y += tall + gap;
    }
    return boxes;
  });
}

function isEtc(show, track) {
  const { state } = show.data.tracks[track];
  return state !== null && show.context.names[state].is_insertion ? 1 : 0;
}

function draw(show) {
  const { data, holder } = show;
  const width = Math.max(holder.clientWidth, 300);
  const height = 620;
  const n = data.iterations.length;
  const x = (column) => 30 + (n > 1 ? column / (n - 1) : 0) * (width - 74);
  const columns = layout(show, height);
  const bands = data.iterations.flatMap((iteration, column) => (column
    ? [...staysInto(show, iteration, column, columns, x), ...bandsInto(show, iteration, column, columns, x)] : []));
  const boxes = columns.map((places, column) => [...places].filter(([, box]) => box.tall > 0).map(([track, box]) => s("rect", {
    x: x(column), y: box.y, width: 14, height: Math.max(box.tall, 0.6), fill: colour(show, track), opacity: column === show.at || column === show.at - 1 ? 1 : 0.55,
  }, s("title", {}, `${name(show, track)}: ${counted(data.iterations[column].sizes[track], "sentence")}`))));
  holder.replaceChildren(s("svg", { class: "graph", viewBox: `0 0 ${width} ${height + 26}`, role: "img",
    "aria-label": "Sentences moving between topics; the list below has the same as text" },
  bands, boxes, data.iterations.map((_, column) => s("text", { class: "edge-label", x: x(column) + 7, y: height + 20, "text-anchor": "middle" },
    column ? String(column) : "clusters"))));
}

// The sentences that stayed, as a pale ground below those that moved.
function staysInto(show, iteration, column, columns, x) {
  const came = new Map();
  for (const move of iteration.moves) came.set(move.target, (came.get(move.target) ?? 0) + move.n_sentences);
  const [left, right] = [x(column - 1) + 14, x(column)];
  const middle = (left + right) / 2;
  return [...columns[column]].map(([track, to]) => {
    const from = columns[column - 1].get(track);
    const tall = Math.max(iteration.sizes[track] - (came.get(track) ?? 0), 0) * to.scale;
    if (!tall) return null;
    const [y1, y2] = [from.y + from.tall - tall, to.y + to.tall - tall];
    return s("path", { class: "stay", fill: colour(show, track),
      d: `M${left} ${y1}C${middle} ${y1} ${middle} ${y2} ${right} ${y2}v${tall}C${middle} ${y2 + tall} ${middle} ${y1 + tall} ${left} ${y1 + tall}Z` });
  });
}

function bandsInto(show, iteration, column, columns, x) {
  const out = new Map();
  const into = new Map();
  const [left, right] = [x(column - 1) + 14, x(column)];
  return iteration.moves.map((move) => {
    const from = columns[column - 1].get(move.source);
    const to = columns[column].get(move.target);
    const tall = move.n_sentences * from.scale;
    const y1 = from.y + (out.get(move.source) ?? 0) + tall / 2;
    const y2 = to.y + (into.get(move.target) ?? 0) + tall / 2;
    out.set(move.source, (out.get(move.source) ?? 0) + tall);
    into.set(move.target, (into.get(move.target) ?? 0) + tall);
    const middle = (left + right) / 2;
    return s("path", { class: column === show.at ? "band" : "band faded", d: `M${left} ${y1}C${middle} ${y1} ${middle} ${y2} ${right} ${y2}`,
      "stroke-width": Math.max(tall, 1), style: { stroke: colour(show, move.target) } },
    s("title", {}, `${counted(move.n_sentences, "sentence")}: ${name(show, move.source)} → ${name(show, move.target)}`));
  });
}

function tell(show) {
  const { data, context, at } = show;
  const iteration = data.iterations[at];
  const link = (track) => (data.tracks[track].state === null ? h("em", {}, name(show, track)) : context.chip(data.tracks[track].state));
  if (!at) {
    show.moves.replaceChildren(h("h2", {}, "The first clusters"), h("p", {}, `${whole(data.n_sentences)} sentences in ${counted(iteration.n_topics, "topic")}, by their words alone.`));
    return;
  }
  show.moves.replaceChildren(
    h("h2", {}, `Iteration ${at}: ${counted(iteration.n_moved, "sentence")} moved (${percent(iteration.n_moved / data.n_sentences, 1)})`),
    iteration.moves.length ? h("ol", { class: "moves" }, iteration.moves.slice(0, 12).map((move) => h("li", {},
      h("p", {}, h("strong", { class: "number" }, counted(move.n_sentences, "sentence")), " from ", link(move.source), " to ", link(move.target)),
      move.examples.map((example) => h("blockquote", { dir: "auto" }, shortened(example.text, 140), " ",
        h("a", { class: "small", href: context.link(`/documents/${example.number}`) }, h("bdi", {}, example.document))))))) : h("p", {}, "No sentence moved: the topics have settled."));
}
