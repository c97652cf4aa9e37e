// Where the topics of the flow graph stand. Pure functions of numbers: the same data gives the same picture.

const ROUNDS = 220;
export const NUMBERED = 9; // circles from this radius on have room for their number
const GOLDEN = 0.618034;

// `along` follows the text (left to right, or down on a narrow window), `across` is free.
export function placeNodes(topics, { along, across, pad, largest }) {
  const movable = topics.filter((topic) => topic.n_sentences > 0);
  const top = Math.max(...movable.map((topic) => topic.document_share), 0.001);
  const positions = movable.map((topic) => topic.position);
  const low = Math.min(...positions);
  const span = Math.max(...positions) - low || 1;
  const nodes = movable.map((topic, i) => {
    // Half by place, half by rank: most topics stand around the middle and would sit on one another.
    const rank = movable.length > 1 ? i / (movable.length - 1) : 0.5;
    const place = topic.is_edge ? 0.5 : 0.45 * ((topic.position - low) / span) + 0.55 * rank;
    return {
      state: topic.state,
      radius: 4 + (largest - 4) * Math.sqrt(topic.document_share / top),
      home: pad + place * (along - 2 * pad),
      along: pad + place * (along - 2 * pad),
      across: across * (0.14 + 0.72 * ((0.5 + i * GOLDEN) % 1)),
      topic,
    };
  });
  for (let round = 0; round < ROUNDS; round += 1) relax(nodes, along, across, 1 - round / ROUNDS);
  spread(nodes, across);
  for (let round = 0; round < 20; round += 1) relax(nodes, along, across, 0);
  return nodes;
}

// Use all the room there is across.
function spread(nodes, across) {
  const places = nodes.map((node) => node.across);
  const [low, high] = [Math.min(...places), Math.max(...places)];
  if (high - low < 1) return;
  for (const node of nodes) node.across = 40 + ((node.across - low) / (high - low)) * (across - 90);
}

function relax(nodes, along, across, heat) {
  for (const node of nodes) {
    node.along += (node.home - node.along) * 0.12;
    node.across += (across / 2 - node.across) * 0.004;
  }
  for (let i = 0; i < nodes.length; i += 1) {
    for (let j = i + 1; j < nodes.length; j += 1) push(nodes[i], nodes[j], heat);
  }
  for (const node of nodes) {
    const room = node.radius + 6;
    node.along = Math.min(Math.max(node.along, room), along - room);
    node.across = Math.min(Math.max(node.across, room + 12), across - room - 16);
  }
}

function push(a, b, heat) {
  const dAlong = b.along - a.along;
  const dAcross = b.across - a.across || 0.01;
  const distance = Math.hypot(dAlong, dAcross) || 0.01;
  const room = a.radius + b.radius + 14;
  if (distance >= room * 1.8) return;
  const overlap = distance < room ? (room - distance) / 2 : heat * (room * 1.8 - distance) * 0.02;
  const share = b.radius / (a.radius + b.radius);
  const [x, y] = [(dAlong / distance) * overlap * 0.6, (dAcross / distance) * overlap * 1.2];
  a.along -= x * share;
  a.across -= y * share;
  b.along += x * (1 - share);
  b.across += y * (1 - share);
}

// Labels for as many nodes as have room for one, the most frequent topics first.
export function placeLabels(nodes, width, height, label) {
  // Only what carries a number must stay free: a label may cover the dots of rare topics.
  const taken = nodes.map((node) => (node.radius < NUMBERED ? null
    : box(node.x - node.radius, node.y - node.radius, 2 * node.radius, 2 * node.radius)));
  const placed = [];
  const ranked = [...nodes].sort((a, b) => b.topic.document_share - a.topic.document_share);
  for (const node of ranked) {
    const lines = wrapped(label(node.state));
    const w = Math.max(...lines.map((line) => [...line].length)) * 6.6 + 4;
    const tall = lines.length * 14;
    const spots = [
      ["middle", node.x - w / 2, node.y + node.radius + 3],
      ["middle", node.x - w / 2, node.y - node.radius - tall - 3],
      ["start", node.x + node.radius + 4, node.y - tall / 2],
      ["end", node.x - node.radius - 4 - w, node.y - tall / 2],
    ];
    const own = taken[nodes.indexOf(node)];
    const free = spots.find(([, x, y]) => {
      const wanted = box(x, y, w, tall);
      return x > 0 && y > 0 && x + w < width && y + tall < height
        && !taken.some((other) => other && other !== own && overlaps(wanted, other));
    });
    if (!free) continue;
    const [anchor, x, y] = free;
    taken.push(box(x, y, w, tall));
    const at = { start: x, middle: x + w / 2, end: x + w }[anchor];
    placed.push({ state: node.state, anchor, x: at, y: y + 11, lines });
  }
  return placed;
}

function wrapped(text) {
  const words = text.replaceAll(" · ", " ·\u00a0").split(" ");
  const lines = [""];
  for (const word of words) {
    const last = lines[lines.length - 1];
    if (last && [...last].length + word.length + 1 > 17) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  const kept = lines.slice(0, 2).map((line) => ([...line].length > 20 ? `${[...line].slice(0, 19).join("")}…` : line));
  if (lines.length > 2 && !kept[1].endsWith("…")) kept[1] += "…";
  return kept;
}

function box(x, y, width, height) {
  return { x, y, right: x + width, bottom: y + height };
}

function overlaps(a, b) {
  return a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom;
}
