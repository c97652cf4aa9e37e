// A list that is put in order by hand: with the mouse or a finger by its handles, with arrow keys when one is focused.

import { h } from "./dom.js";

// `order` holds numbers of items; `row` draws one; `onChange` hears of every new order.
export class Arrangement {
  constructor(order, row, onChange) {
    this.order = [...order];
    this.row = row;
    this.onChange = onChange;
    this.said = h("p", { class: "visually-hidden", "aria-live": "assertive" });
    this.list = h("ol", { class: "arrangement" });
    this.element = h("div", {}, this.list, this.said);
    this.draw();
  }

  set(order) {
    this.order = [...order];
    this.draw();
  }

  draw() {
    this.items = new Map(this.order.map((item) => [item, this.item(item)]));
    this.list.replaceChildren(...this.order.map((item) => this.items.get(item)));
  }

  item(item) {
    const handle = h("button", {
      type: "button", class: "handle", "aria-label": `Move sentence ${item + 1}; arrow keys move it up and down`,
      onkeydown: (event) => this.onKey(event, item),
      onpointerdown: (event) => this.grab(event, item),
    }, "⠿");
    return h("li", { "data-item": item }, handle, this.row(item));
  }

  onKey(event, item) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    if (!this.move(item, this.order.indexOf(item) + step)) return;
    this.items.get(item).querySelector(".handle").focus();
    this.said.textContent = `now at place ${this.order.indexOf(item) + 1} of ${this.order.length}`;
    this.onChange(this.order);
  }

  // Puts an item at a place and leaves all others in their order.
  move(item, place) {
    const from = this.order.indexOf(item);
    if (place < 0 || place >= this.order.length || place === from) return false;
    this.order.splice(from, 1);
    this.order.splice(place, 0, item);
    const after = this.order[place + 1];
    this.list.insertBefore(this.items.get(item), after === undefined ? null : this.items.get(after));
    return true;
  }

  grab(event, item) {
    if (event.button !== 0) return;
    event.preventDefault();
    const element = this.items.get(item);
    const handle = event.currentTarget;
    handle.focus();
    element.classList.add("held");
    let changed = false;
    const follow = (moving) => {
      moving.preventDefault();
      if (this.move(item, this.placeAt(moving.clientY, item))) {
        changed = true;
        this.onChange(this.order);
      }
    };
    const release = () => {
      window.removeEventListener("pointermove", follow);
      window.removeEventListener("pointerup", release);
      window.removeEventListener("pointercancel", release);
      element.classList.remove("held");
      if (changed) handle.focus();
    };
    window.addEventListener("pointermove", follow);
    window.addEventListener("pointerup", release);
    window.addEventListener("pointercancel", release);
  }

  // The place that a height on the screen stands for: how many of the other items end above it.
  placeAt(y, item) {
    const own = this.items.get(item).getBoundingClientRect();
    if (y >= own.top && y <= own.bottom) return this.order.indexOf(item);
    return this.order.filter((other) => {
      if (other === item) return false;
      const box = this.items.get(other).getBoundingClientRect();
      return (box.top + box.bottom) / 2 < y;
    }).length;
  }
}
