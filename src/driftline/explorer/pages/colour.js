// Colours of topics: they follow the place in the document, from blue (early) to wine red (late), so that a text
// in the usual order reads as a smooth band. Blue against yellow and a change of lightness between neighbours
// keep it readable for colour-blind people, and a topic's number stands wherever there is room for it.

const STOPS = ["#4a63bd", "#2d78b4", "#4fa3a5", "#a9b665", "#e3ac3a", "#cf6b33", "#b04468"];
const INSERTION = "#9a9a9a";
const LIGHTER = 0.24;
const DARKER = 0.12;

function channels(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

function mixed(from, to, share) {
  return from.map((value, i) => value + (to[i] - value) * share);
}

function hex(rgb) {
  return `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
}

export function topicColour(name, nTopics) {
  if (name.is_insertion) return INSERTION;
  const place = (name.rank / Math.max(nTopics - 2, 1)) * (STOPS.length - 1);
  const below = Math.min(Math.floor(place), STOPS.length - 2);
  const base = mixed(channels(STOPS[below]), channels(STOPS[below + 1]), place - below);
  const shades = [base, mixed(base, [255, 255, 255], LIGHTER), mixed(base, [0, 0, 0], DARKER)];
  return hex(shades[name.rank % 3]);
}

function luminance(colour) {
  const [r, g, b] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// Black or white, whichever is easier to read on a colour.
export function inkOn(colour) {
  const light = luminance(colour);
  return 1.05 / (light + 0.05) > (light + 0.05) / 0.05 ? "#ffffff" : "#000000";
}
