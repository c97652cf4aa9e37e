// What an editor would say of a text: what it lacks, what stands in the wrong place, and whether it is of this kind at all.

import { h, labelNodes } from "./dom.js";

export function checkSection(sentences, context) {
  const found = h("div", { id: "check", role: "status" }, h("p", { class: "loading" }, "Checking …"));
  context.send("/try/check", { sentences }).then(
    (check) => found.replaceChildren(...findings(check)),
    (error) => found.replaceChildren(h("p", { class: "notice warn" }, error.message)));
  return h("section", { "aria-label": "Check" }, h("h2", {}, "What an editor would say"), found);
}

function findings(check) {
  if (check.domain.foreign) {
    return [h("p", { class: "notice warn" }, h("strong", {}, "This does not read like a document of this domain. "), sentence(check.domain.reason))];
  }
  const told = [
    ...check.missing.map((one) => item(["Missing: ", h("bdi", {}, labelNodes(one.label))], one.reason, one.example?.text)),
    ...check.suspects.filter((one) => one.clear).map((one) => item(`Misplaced? Sentence ${one.sentence + 1}`, one.reason, one.text)),
    ...check.abrupt.map((one) => item(`Abrupt: before sentence ${one.sentence + 1}`, one.reason, one.text)),
    ...check.unlike.map((one) => item(`Unlike the domain: sentence ${one.sentence + 1}`, one.reason, one.text)),
  ];
  return [
    h("p", {}, sentence(check.verdict), told.length ? "" : " Nothing was found."),
    told.length ? h("ol", { class: "quotes findings" }, told) : "",
    ...check.notes.map((note) => h("p", { class: "quiet small" }, sentence(note))),
  ];
}

function item(title, reason, text) {
  return h("li", {}, h("strong", {}, title), h("p", {}, sentence(reason)), text ? h("blockquote", { class: "quiet", dir: "auto" }, text) : "");
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
