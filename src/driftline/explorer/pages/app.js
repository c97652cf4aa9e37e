// The beginning: reads what the page holds, and draws it. In a report it also goes from page to page.

import { Context } from "./context.js";
import { h } from "./dom.js";
import { drawFlow } from "./flow.js";
import { offerSchemes } from "./scheme.js";

const DRAW = { flow: drawFlow, missing: drawMissing };

function drawMissing(main, data, context) {
  main.append(h("h1", {}, "Nothing here"), h("p", { class: "lead" }, data.error),
    h("p", {}, h("a", { href: context.link("/flow") }, "Back to the flow")));
}

function show(kind, data, context) {
  const main = document.getElementById("main");
  main.replaceChildren();
  if (data.names) context.setNames(data.names);
  DRAW[kind](main, data, context);
  document.documentElement.dataset.drawn = kind;
}

async function begin() {
  const page = JSON.parse(document.getElementById("page").textContent);
  const context = new Context(page);
  offerSchemes(document.getElementById("scheme"));
  if (page.data !== null) {
    show(page.kind, page.data, context);
    return;
  }
  const main = document.getElementById("main");
  main.replaceChildren(h("p", { class: "loading", role: "status" }, "Reading the documents …"));
  try {
    show(page.kind, await context.fetch(page.address), context);
  } catch (error) {
    show("missing", { error: error.message }, context);
  }
}

begin();
