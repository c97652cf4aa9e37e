// The beginning: reads what the page holds, and draws it. In a report it also goes from page to page.

import { Context } from "./context.js";
import { drawDocument } from "./document.js";
import { add, h } from "./dom.js";
import { drawFlow } from "./flow.js";
import { drawReplay } from "./replay.js";
import { drawRibbons } from "./ribbons.js";
import { offerSchemes } from "./scheme.js";
import { drawTopic } from "./topic.js";
import { drawTryIt } from "./tryit.js";

const DRAW = {
  flow: drawFlow, topic: drawTopic, ribbons: drawRibbons, document: drawDocument, try: drawTryIt, replay: drawReplay, missing: drawMissing,
};

function drawMissing(main, data, context) {
  add(main, h("h1", {}, "Nothing here"), h("p", { class: "lead" }, data.error),
    h("p", {}, h("a", { href: context.link("/flow") }, "To the flow")));
}

function show(kind, data, context) {
  const main = document.getElementById("main");
  main.replaceChildren();
  if (data.names) context.setNames(data.names);
  DRAW[kind](main, data, context);
  document.documentElement.dataset.drawn = kind;
}

async function showLive(page, context) {
  if (page.data !== null) {
    show(page.kind, page.data, context);
    return;
  }
  document.getElementById("main").replaceChildren(h("p", { class: "loading", role: "status" }, "Reading the documents …"));
  try {
    show(page.kind, await context.fetch(page.address), context);
  } catch (error) {
    show("missing", { error: error.message }, context);
  }
}

// A report holds all of its pages; the part of its address behind the # says which one is shown.
function showReport(page, context) {
  context.setNames(page.names);
  const turn = () => {
    const address = decodeURIComponent(location.hash.slice(1));
    if (address && !address.startsWith("/")) return; // a place on this page
    const found = page.pages[address || page.first];
    if (found) show(found.kind, found.data, context);
    else show("missing", { error: "This report does not hold that page; driftline explore shows them all." }, context);
    for (const link of document.querySelectorAll(".masthead nav a")) {
      if (found && link.dataset.kind === found.kind) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    scrollTo(0, 0);
  };
  addEventListener("hashchange", turn);
  turn();
}

const page = JSON.parse(document.getElementById("page").textContent);
const context = new Context(page);
offerSchemes(document.getElementById("scheme"));
if (page.live) showLive(page, context);
else showReport(page, context);
