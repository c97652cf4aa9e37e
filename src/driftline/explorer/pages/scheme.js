// Light or dark: as the system says, or as chosen here.

import { h } from "./dom.js";

const KEY = "driftline-scheme";
const CHOICES = ["auto", "light", "dark"];

function stored() {
  try {
    return localStorage.getItem(KEY) ?? "auto";
  } catch {
    return "auto"; // a file opened from disk may keep nothing
  }
}

export function offerSchemes(button) {
  let choice = stored();
  const apply = () => {
    if (choice === "auto") delete document.documentElement.dataset.scheme;
    else document.documentElement.dataset.scheme = choice;
    button.replaceChildren(h("span", {}, `Colours: ${choice}`));
  };
  button.addEventListener("click", () => {
    choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
    try {
      localStorage.setItem(KEY, choice);
    } catch {
      // it then lasts as long as the page
    }
    apply();
    document.dispatchEvent(new Event("scheme"));
  });
  button.hidden = false;
  apply();
}
