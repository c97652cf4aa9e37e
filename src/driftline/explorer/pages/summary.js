// A summary whose length follows a slider.

import { counted, h, percent } from "./dom.js";

// `ask` takes a length and returns a promise of the summary, which a report has ready.
export function summarySection(sentences, data, context, ask) {
  const n = sentences.length;
  const output = h("output", {});
  const slider = h("input", { type: "range", id: "length", min: 1, max: n, step: 1, value: Math.max(1, Math.round(n / 3)) });
  const list = h("ol", { class: "summary", id: "summary" });
  let asking = null;
  const update = async () => {
    output.textContent = counted(Number(slider.value), "sentence");
    asking?.abort();
    asking = new AbortController();
    try {
      const summary = await ask(Number(slider.value), asking.signal);
      const chosen = new Map(summary.indices.map((place, i) => [place, i]));
      list.replaceChildren(...sentences.map((text, place) => sentence(text, place, chosen.get(place), summary, context)));
    } catch (error) {
      if (error.name !== "AbortError") list.replaceChildren(h("li", { class: "notice warn" }, error.message));
    }
  };
  slider.addEventListener("input", update);
  update();
  return h("section", { "aria-label": "Summary" }, h("h2", {}, "In short"),
    !data.knows_summaries && h("p", { class: "notice" }, "This model was given no human summaries (", h("code", {}, "driftline fit --summaries"),
      "), so it keeps the topics that most documents hold."),
    h("div", { class: "controls" }, h("label", { class: "wide" }, "Keep", slider, output)), list);
}

function sentence(text, place, chosen, summary, context) {
  if (chosen === undefined) return h("li", { class: "left-out" }, h("span", {}), h("p", { class: "sentence", dir: "auto" }, text));
  return h("li", { class: "kept" },
    h("span", { title: summary.reasons[chosen] }, context.number(summary.states[chosen])),
    h("div", {}, h("p", { class: "sentence", dir: "auto" }, text),
      h("p", { class: "small quiet" }, `${percent(summary.probabilities[chosen])}: ${summary.reasons[chosen]}`)));
}
