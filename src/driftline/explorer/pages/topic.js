// One topic: its label, what it says, where it stands, what stands around it, and whether summaries take it.

import { add, counted, h, labelNodes, marked, percent, s, whole } from "./dom.js";

export function drawTopic(main, data, context) {
  add(main, pager(data, context),
    heading(data, context),
    data.reason && h("p", { class: "notice" }, data.reason),
    h("div", { class: "facts" },
      fact(percent(data.document_share), "of the documents hold it", `${whole(data.n_documents)} in training`),
      fact(percent(data.share, 1), "of all sentences", `${whole(data.n_sentences)} in training`),
      fact(percent(data.position), "of the way through", "on average"),
      fact(data.summary.share === null ? "–" : percent(data.summary.share), "chance to be in a summary", data.summary.reason)),
    h("div", { class: "columns" },
      h("section", {}, h("h2", {}, "What it says"), sentences(data, context)),
      h("section", {},
        h("h2", {}, "Where it stands"), positionCurve(data, context),
        h("h2", {}, "What comes before and after"), around(data, context),
        h("h2", {}, "Telling words, beside the domain"), bigrams(data, context))),
  );
}

function pager(data, context) {
  const to = (state, text, rel) => (state === null ? h("span", {})
    : h("a", { href: context.link(`/topics/${state}`), rel, class: "pager-link" }, text, " ", context.number(state)));
  return h("nav", { class: "pager", "aria-label": "Topics beside this one" },
    to(data.previous, "← earlier", "prev"), h("a", { href: context.link("/flow") }, "All topics"), to(data.next, "later →", "next"));
}

function heading(data, context) {
  const title = h("h1", {}, context.number(data.state), " ", h("bdi", { id: "topic-label" }, labelNodes(data.label)));
  if (!context.live) return title;
  const input = h("input", { type: "text", id: "label-input", maxlength: 80, value: data.label, "aria-label": "Label of this topic" });
  const said = h("p", { class: "small quiet", role: "status" });
  const form = h("form", { class: "controls", hidden: true }, input, h("button", { class: "primary" }, "Save"),
    h("button", { type: "button", onclick: () => toggle(false) }, "Cancel"));
  const learned = data.learned_label !== data.label;
  const edit = h("button", { type: "button", onclick: () => toggle(true) }, "Rename");
  const undo = h("button", { type: "button", hidden: !learned, onclick: () => save("") }, "Take back the learned label");
  const buttons = h("div", { class: "controls" }, edit, undo);
  const toggle = (open) => {
    form.hidden = !open;
    buttons.hidden = open;
    (open ? input : edit).focus();
  };
  const save = async (label) => {
    try {
      await context.send(`/topics/${data.state}/label`, { label });
      location.reload();
    } catch (error) {
      said.textContent = error.message;
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save(input.value);
  });
  return h("header", {}, title,
    learned && h("p", { class: "quiet small" }, "Learned label: ", h("bdi", {}, labelNodes(data.learned_label))),
    buttons, form, said);
}

function fact(figure, what, more) {
  return h("div", { class: "fact" }, h("div", { class: "figure" }, figure), h("div", {}, what),
    h("div", { class: "quiet small" }, more));
}

function sentences(data, context) {
  if (!data.sentences.length) {
    return h("p", { class: "quiet" }, data.n_sentences ? "The model keeps no sentence of its documents." : "It holds no sentence.");
  }
  return [
    h("p", { class: "quiet small" }, "Marked words stand together mostly (", h("mark", { class: "strong" }, "dark"), ") or often (",
      h("mark", {}, "light"), ") in this topic."),
    h("ol", { class: "quotes" }, data.sentences.map((sentence) => h("li", {},
      h("blockquote", { dir: "auto" }, marked(sentence.pieces)),
      h("p", { class: "quiet small source" }, "sentence ", String(sentence.place + 1), " of ",
        sentence.number === null ? h("bdi", {}, sentence.document)
          : h("a", { href: context.link(`/documents/${sentence.number}`) }, h("bdi", {}, sentence.document)))))),
    data.n_given !== null && h("p", { class: "quiet small" }, `${counted(data.n_given, "sentence")} of the documents given have this topic.`),
  ];
}

function positionCurve(data, context) {
  const [width, height, foot] = [420, 130, 22];
  const top = Math.max(...data.positions, ...data.all_positions, 0.01);
  const x = (i) => (i / 10) * width;
  const y = (share) => height - (share / top) * (height - 10);
  const bars = data.positions.map((share, i) => s("rect", {
    x: x(i) + 1, y: y(share), width: width / 10 - 2, height: Math.max(height - y(share), 0.5), fill: context.colours[data.state],
  }, s("title", {}, `${i * 10}–${i * 10 + 10}% of the way: ${percent(share)} of its sentences`)));
  const line = data.all_positions.map((share, i) => `${i ? "L" : "M"}${x(i)} ${y(share)}L${x(i + 1)} ${y(share)}`).join("");
  const peak = data.positions.indexOf(Math.max(...data.positions));
  return h("figure", {}, s("svg", { class: "graph", viewBox: `0 0 ${width} ${height + foot}`, role: "img",
    "aria-label": `Most of its sentences stand ${peak * 10} to ${peak * 10 + 10}% of the way through` },
  bars, s("path", { d: line, class: "reference" }), s("line", { class: "axis", x1: 0, x2: width, y1: height, y2: height }),
  s("text", { class: "edge-label", x: 0, y: height + 17 }, "first sentence"),
  s("text", { class: "edge-label", x: width, y: height + 17, "text-anchor": "end" }, "last sentence")),
  h("figcaption", { class: "quiet small" }, "Bars: the sentences of this topic. Line: all sentences."));
}

function around(data, context) {
  const list = (rows, edge) => (rows.length ? h("ol", { class: "steps" }, rows.map((row) => h("li", {},
    context.neighbour(row.state, edge),
    h("span", { class: "number quiet small", title: `in ${counted(row.n_documents, "document")}` }, percent(row.probability, 1)))))
    : h("p", { class: "quiet" }, "nothing"));
  return [
    h("div", { class: "two" }, h("div", {}, h("h3", {}, "Before"), list(data.before, "the start")),
      h("div", {}, h("h3", {}, "After"), list(data.after, "the end"))),
    h("p", { class: "quiet small" }, `Probabilities of the step. Another sentence of the same topic follows with ${percent(data.again, 1)}.`),
  ];
}

function bigrams(data, context) {
  if (!data.bigrams.length) return h("p", { class: "quiet" }, "It has no pairs of words.");
  const top = Math.max(...data.bigrams.map((row) => row.topic_rate));
  return [h("table", { class: "bigrams" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Pair of words"), h("th", { scope: "col" }, "In a thousand pairs: topic, domain"),
      h("th", { scope: "col", class: "number" }, "Times as often"))),
    h("tbody", {}, data.bigrams.map((row) => h("tr", {},
      h("td", {}, h("bdi", {}, labelNodes(row.words.join(" ")))),
      h("td", {}, bar(row.topic_rate, top, context.colours[data.state]), bar(row.domain_rate, top, null)),
      h("td", { class: "number" }, `${(row.topic_rate / row.domain_rate).toFixed(row.topic_rate < 10 * row.domain_rate ? 1 : 0)}×`)))))];
}

function bar(rate, top, colour) {
  return h("div", { class: "bar-row" },
    h("div", { class: colour ? "bar" : "bar plain", style: { width: `${Math.max(1, (rate / top) * 75)}%`, background: colour ?? "var(--quiet)" } }),
    h("span", { class: "number small quiet" }, rate.toFixed(1)));
}
