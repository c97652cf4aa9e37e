// Try it: a text of one's own, tagged, taken apart, put in order and summarized.

import { checkSection } from "./check.js";
import { sentenceList, strip } from "./document.js";
import { add, counted, h } from "./dom.js";
import { foundOrder, orderSection } from "./ordering.js";
import { summarySection } from "./summary.js";

export function drawTryIt(main, data, context) {
  add(main, h("h1", {}, context.live ? "Try it on a text" : "A text at work"), h("p", { class: "lead" },
    context.live ? ["Paste a report of this kind, or open a file. Its sentences get their topics; then shuffle them, have them put in order, ",
      "drag them by hand, and shorten the text. Nothing leaves this machine."] : "What the model says of a single text, sentence by sentence."));
  if (!context.live) {
    showExample(main, data, context);
    return;
  }
  const area = h("textarea", { id: "text", "aria-label": "Text", dir: "auto", placeholder: "Paste a text here …" });
  const said = h("p", { class: "small quiet", role: "status", id: "said" });
  const work = h("div", { id: "work" });
  const language = h("input", { type: "text", id: "language", value: "en", maxlength: 12, size: 3, "aria-label": "Language of the text" });
  const file = h("input", { type: "file", accept: ".txt,text/plain", class: "visually-hidden", id: "file", onchange: async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    area.value = await chosen.text();
    read({ text: area.value, language: language.value });
  } });
  const read = async (asked) => {
    if (!asked.sentences && !asked.text.trim()) {
      said.textContent = "There is no text yet.";
      return;
    }
    said.textContent = "Reading …";
    try {
      const reading = await context.send("/try/tag", asked);
      said.textContent = `${counted(reading.sentences.length, "sentence")} read.`;
      showReading(work, reading, data, context);
    } catch (error) {
      said.textContent = error.message;
    }
  };
  add(main, area,
    h("div", { class: "controls" },
      h("button", { class: "primary", id: "read", onclick: () => read({ text: area.value, language: language.value }) }, "Read it"),
      data.sample.length > 0 && h("button", { id: "sample", title: data.sample_of, onclick: () => {
        area.value = data.sample.join("\n");
        read({ sentences: data.sample });
      } }, "Take an example"),
      h("label", { class: "file-button" }, file, h("span", {}, "Open a file …")),
      h("label", {}, "Language", language)),
    data.takes_words && h("p", { class: "notice" }, "This model was trained on words as they are: sentences are cut at blanks, and nothing is masked."),
    said, work);
  openDocument(area, read, context);
}

// /try?document=12 begins with a document that was given.
async function openDocument(area, read, context) {
  const number = new URLSearchParams(location.search).get("document");
  if (!/^\d+$/.test(number ?? "")) return;
  const page = await context.fetch(`/documents/${number}`);
  const sentences = page.sentences.map((row) => row.pieces.map(([piece]) => piece).join(""));
  area.value = sentences.join("\n");
  read({ sentences });
}

function showReading(work, reading, data, context) {
  const { sentences, rows } = reading;
  work.replaceChildren(
    h("section", { "aria-label": "Topics" }, h("h2", {}, "Topic by topic"),
      strip(rows.map((row) => row.state), context), sentenceList(rows, [], context)),
    checkSection(sentences, context),
    sentences.length > 1 ? orderSection(reading, data, context) : "",
    sentences.length > 1 ? summarySection(sentences, data, context, (length, signal) => (
      context.send("/try/summarize", { sentences, length }, signal))) : "",
  );
}

// A report cannot be asked about other texts; it shows what became of one.
function showExample(main, data, context) {
  const { example } = data;
  if (!example) {
    add(main, h("p", { class: "notice" }, "The model keeps no sentence that could be shown here. ", h("code", {}, "driftline explore MODEL"), " takes texts of yours."));
    return;
  }
  add(main, h("p", { class: "notice" }, "This file shows one text at work: ", h("bdi", {}, data.sample_of), ". To try your own, open the page where the model can answer: ",
    h("code", {}, "driftline explore MODEL")),
  h("h2", {}, "Topic by topic"), strip(example.reading.rows.map((row) => row.state), context),
  sentenceList(example.reading.rows, [], context), foundOrder(example, context),
  summarySection(example.reading.sentences, data, context, async (length) => example.summaries[length - 1]));
}
