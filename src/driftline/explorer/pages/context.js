// What drawing needs beside its data: names and colours of topics, addresses, and sending something back.

import { inkOn, topicColour } from "./colour.js";
import { h, labelNodes, labelText, s } from "./dom.js";

export class Context {
  constructor(page) {
    this.live = page.live;
    this.token = page.token;
    this.pages = page.pages;
    this.names = [];
  }

  setNames(names) {
    this.names = names;
    this.colours = names.map((name) => topicColour(name, names.length));
    this.inks = this.colours.map(inkOn);
  }

  // Pages of a report are all in one file: their addresses stand behind the #.
  link(address) {
    return this.live ? address : `#${address}`;
  }

  label(state) {
    return labelText(this.names[state].label);
  }

  number(state) {
    const insertion = this.names[state].is_insertion;
    return h("span", {
      class: insertion ? "chip-number insertion" : "chip-number",
      style: { background: this.colours[state], color: this.inks[state] },
    }, insertion ? "etc" : String(state));
  }

  chip(state) {
    return h("a", { class: "chip", href: this.link(`/topics/${state}`) }, this.number(state),
      h("bdi", { class: "chip-label" }, labelNodes(this.names[state].label)));
  }

  // A neighbour of a topic: another one, or the edge of the document.
  neighbour(state, edge) {
    return state === null ? h("em", {}, edge) : this.chip(state);
  }

  async fetch(address) {
    if (!this.live) {
      if (!this.pages[address]) throw new Error("This report does not hold the text of that document.");
      return this.pages[address].data;
    }
    return read(await fetch(`${address}.json`, { headers: { Accept: "application/json" } }));
  }

  async send(address, record, signal) {
    return read(await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Driftline-Token": this.token },
      body: JSON.stringify(record),
      signal,
    }));
  }
}

async function read(response) {
  const text = await response.text();
  let record;
  try {
    record = JSON.parse(text);
  } catch {
    throw new Error(text.trim() || `the server answered with status ${response.status}`);
  }
  if (!response.ok) throw new Error(record.error ?? `the server answered with status ${response.status}`);
  return record;
}

// Where the sentences of a topic stand, as ten small bars.
export function sparkline(shares, colour, title) {
  const top = Math.max(...shares, 0.001);
  const bars = shares.map((share, i) => {
    const height = Math.max(1, (share / top) * 18);
    return s("rect", { x: i * 8, y: 20 - height, width: 7, height, fill: colour });
  });
  return s("svg", { class: "spark", viewBox: "0 0 80 20", width: 80, height: 20, role: "img", "aria-label": title }, bars);
}
