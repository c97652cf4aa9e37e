// One document: each sentence with its topic, how sure the model is of it, and where the text departs from its domain.

import { add, counted, h, marked, percent } from "./dom.js";

export function drawDocument(main, data, context) {
  const n = data.sentences.reduce((sum, row) => sum + row.departures.length, data.ending.length);
  const to = (number, text, rel) => (number === null ? h("span", {})
    : h("a", { href: context.link(`/documents/${number}`), rel }, text));
  add(main, h("nav", { class: "pager", "aria-label": "Documents beside this one" },
      to(data.previous, "← previous", "prev"), h("a", { href: context.link("/ribbons") }, "All documents"), to(data.next, "next →", "next")),
    h("h1", {}, h("bdi", {}, data.id)),
    h("p", { class: "lead" }, `${counted(data.sentences.length, "sentence")}; odder than ${percent(data.odder_than)} of the documents given. `,
      n ? h("strong", {}, `It departs from its domain in ${counted(n, "place")}.`) : "It nowhere departs from its domain."),
    context.live && h("p", {}, h("a", { href: `/try?document=${data.number}` }, "Take it apart and put it in order")),
    strip(data.sentences.map((row) => row.state), context),
    h("p", { class: "small quiet" }, "The bar beside a topic says how sure the model is of it, given the whole document. Marked words speak for the topic."),
    sentenceList(data.sentences, data.ending, context),
  );
}

// The document as its ribbon.
export function strip(states, context) {
  return h("div", { class: "strip", "aria-hidden": "true" }, states.map((state, i) => h("a", {
    href: `#sentence-${i + 1}`, tabindex: -1, title: `${i + 1}: ${context.label(state)}`,
    class: context.names[state].is_insertion ? "swatch insertion" : "swatch",
    style: { background: context.colours[state] },
    onclick: (event) => {
      event.preventDefault(); // in a report the # leads to pages
      document.getElementById(`sentence-${i + 1}`)?.scrollIntoView({ block: "center" });
    },
  })));
}

export function sentenceList(rows, ending, context) {
  return h("ol", { class: "sentences" },
    rows.map((row, i) => sentenceRow(row, i, context)),
    ending?.length ? h("li", { class: "ending" }, h("div", {}), departures(ending)) : null);
}

function sentenceRow(row, i, context) {
  return h("li", { id: `sentence-${i + 1}`, class: row.departures.length ? "odd" : null },
    h("div", { class: "side" }, context.chip(row.state), confidence(row), others(row, context)),
    h("div", {}, h("p", { class: "sentence", dir: "auto" }, marked(row.pieces)), departures(row.departures)));
}

function confidence(row) {
  return h("div", { class: "confidence", title: "how sure the model is of this topic" },
    h("div", { class: "track" }, h("div", { class: "filled", style: { width: `${100 * row.probability}%` } })),
    h("span", { class: "number small quiet" }, percent(row.probability)));
}

function others(row, context) {
  if (!row.others.length) return null;
  return h("div", { class: "small quiet others" }, "or ", row.others.map((other, i) => [i ? ", " : "",
    h("a", { href: context.link(`/topics/${other.state}`), title: context.label(other.state) }, `[${other.state}]`), ` ${percent(other.probability)}`]));
}

function departures(found) {
  return found.length ? h("ul", { class: "departures" }, found.map((one) => h("li", { "data-kind": one.kind }, one.text))) : null;
}
