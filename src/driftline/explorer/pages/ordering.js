// Putting sentences in order: by hand, watching what each move is worth, or by the search, with its proof and reasons.

import { Arrangement } from "./arrange.js";
import { decimal, h, percent, s } from "./dom.js";

const WAIT = 120; // milliseconds of rest before an order is scored

// The best order as it was found for a report: nothing in it can be moved, for nothing would answer.
export function foundOrder(example, context) {
  const { reading, ordered } = example;
  const { ordering, explanation, n_orders } = ordered;
  const desk = { sentences: reading.sentences, context };
  desk.reasons = new Map(explanation.steps.map((step) => [step.sentence, step]));
  desk.states = new Map(explanation.steps.map((step) => [step.sentence, step.state]));
  return h("section", { "aria-label": "Order" }, h("h2", {}, "Put in order"),
    h("p", { class: "notice" }, proof(ordering, n_orders), " ", runnerUp(explanation)),
    h("ol", { class: "arrangement" }, ordering.order.map((i) => h("li", {}, row(desk, i)))));
}

export function orderSection(reading, data, context) {
  const { sentences } = reading;
  const original = sentences.map((_, i) => i);
  const desk = { sentences, data, context, original, history: [], best: null, scored: null, reasons: new Map() };
  desk.meter = h("div", { class: "meter", id: "meter", "aria-live": "polite" });
  desk.chart = h("div", { class: "history" });
  desk.proof = h("div", { id: "proof", role: "status" });
  desk.arrangement = new Arrangement(original, (i) => row(desk, i), (order) => changed(desk, order));
  const shuffle = () => take(desk, shuffled(original));
  const button = (id, text, onclick) => h("button", { type: "button", id, onclick }, text);
  const search = button("order", "Put in order", () => putInOrder(desk, search));
  search.classList.add("primary");
  score(desk, original);
  return h("section", { "aria-label": "Order" }, h("h2", {}, "Put in order"),
    h("p", { class: "quiet" }, "Shuffle the sentences, move them by their handles, and watch how probable the order is. Numbers on the left are places in your text."),
    h("div", { class: "controls" }, button("shuffle", "Shuffle", shuffle), search,
      button("original", "As in the text", () => take(desk, original))),
    desk.meter, desk.chart, desk.proof, desk.arrangement.element);
}

function row(desk, i) {
  const reason = desk.reasons.get(i);
  const state = desk.states?.get(i);
  return h("div", { class: "arranged" },
    h("div", { class: "arranged-side" }, h("span", { class: "quiet number" }, String(i + 1)),
      state === undefined ? null : desk.context.number(state)),
    h("p", { class: "sentence", dir: "auto" }, desk.sentences[i]),
    reason ? h("p", { class: "small quiet reason" }, `step ${percent(reason.probability, 1)}`,
      reason.swap_cost === null ? "" : [" · swapping with the one before costs ", h("strong", {}, decimal(reason.swap_cost))],
      // A model that was learned with more evidence than topics says which of it decided.
      reason.reasons?.length ? h("span", { dir: "auto" }, ": ", reason.reasons[0].evidence) : "") : null);
}

// Fisher and Yates; it never gives back the order it was given, which would look as if nothing had happened.
function shuffled(order) {
  const made = [...order];
  do {
    for (let i = made.length - 1; i > 0; i -= 1) {
      const j = Math.floor(Math.random() * (i + 1));
      [made[i], made[j]] = [made[j], made[i]];
    }
  } while (made.every((item, i) => item === order[i]));
  return made;
}

function take(desk, order) {
  desk.reasons.clear();
  desk.arrangement.set(order);
  desk.proof.replaceChildren();
  score(desk, order);
}

function changed(desk, order) {
  if (desk.reasons.size) {
    desk.reasons.clear();
    for (const old of desk.arrangement.list.querySelectorAll(".reason")) old.remove();
    desk.proof.replaceChildren();
  }
  clearTimeout(desk.waiting);
  desk.waiting = setTimeout(() => score(desk, order), WAIT);
}

async function score(desk, order) {
  desk.asking?.abort();
  desk.asking = new AbortController();
  try {
    const found = await desk.context.send("/try/score", { sentences: desk.sentences, order: [...order] }, desk.asking.signal);
    desk.states = new Map(order.map((item, place) => [item, found.states[place]]));
    for (const [item, element] of desk.arrangement.items) {
      element.querySelector(".chip-number")?.remove();
      element.querySelector(".arranged-side")?.append(desk.context.number(desk.states.get(item)));
    }
    desk.history.push(found.log_probability);
    desk.meter.replaceChildren(
      h("div", {}, h("span", { class: "figure", id: "log-probability" }, decimal(found.log_probability)), h("span", { class: "quiet" }, " log-probability")),
      h("div", { id: "rank" }, h("strong", {}, found.rank), found.exact ? "" : h("span", { class: "quiet" }, " (an estimate)")));
    drawHistory(desk);
  } catch (error) {
    if (error.name !== "AbortError") desk.meter.replaceChildren(h("p", { class: "notice warn" }, error.message));
  }
}

// Every order that was looked at, the best one as a line.
function drawHistory(desk) {
  const values = desk.history.slice(-40);
  const [width, height] = [600, 90];
  const known = [...values, desk.history[0], ...(desk.best === null ? [] : [desk.best])];
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const y = (value) => 12 + (high === low ? 0.5 : (high - value) / (high - low)) * (height - 24);
  const x = (i) => 8 + (values.length > 1 ? i / (values.length - 1) : 0.5) * (width - 120);
  const guide = (value, text) => [s("line", { class: "axis", x1: 0, x2: width - 104, y1: y(value), y2: y(value) }),
    s("text", { class: "edge-label", x: width - 100, y: y(value) + 4 }, text)];
  const path = values.map((value, i) => `${i ? "L" : "M"}${x(i)} ${y(value)}`).join("");
  const close = desk.best !== null && Math.abs(y(desk.best) - y(desk.history[0])) < 14;
  desk.chart.replaceChildren(s("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Log-probability of the orders so far" },
    desk.best === null ? null : guide(desk.best, close ? "best, your text" : "best"), close ? null : guide(desk.history[0], "your text"),
    s("path", { class: "reference", d: path }),
    values.map((value, i) => s("circle", { cx: x(i), cy: y(value), r: i === values.length - 1 ? 5 : 2.5, class: i === values.length - 1 ? "now" : "before" }))));
}

async function putInOrder(desk, button) {
  button.disabled = true;
  desk.proof.replaceChildren(h("p", { class: "loading" }, `Searching, ${desk.data.order_seconds.toFixed(0)} seconds at the most …`));
  try {
    const { ordering, explanation, n_orders } = await desk.context.send("/try/order", { sentences: desk.sentences });
    desk.best = ordering.log_probability;
    desk.reasons = new Map(explanation.steps.map((step) => [step.sentence, step]));
    desk.arrangement.set(ordering.order);
    desk.proof.replaceChildren(h("p", { class: "notice" }, proof(ordering, n_orders), " ", runnerUp(explanation)));
    score(desk, ordering.order);
  } catch (error) {
    desk.proof.replaceChildren(h("p", { class: "notice warn" }, error.message));
  } finally {
    button.disabled = false;
  }
}

function proof(ordering, nOrders) {
  if (ordering.proved) {
    return [h("strong", {}, "Proved: "), `none of the ${nOrders} orders is more probable. ${ordering.n_nodes.toLocaleString("en")} beginnings of orders had to be looked at.`];
  }
  return [h("strong", {}, "Not proved: "), `the best order found in the time there was; none can be above ${decimal(ordering.upper_bound)}.`];
}

function runnerUp(explanation) {
  if (explanation.runner_up === null) return "There is no other order.";
  return `The runner-up is ${decimal(explanation.runner_up_gap)} lower.`;
}
