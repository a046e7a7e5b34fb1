// The help lines that came with the page: they are there before any call is answered, and without a
// connection. What came with it is for the country that the browser's languages name; the first answer of
// the server brings those of the person's own.
import { locale } from "./texts.js";

const body = document.getElementById("hk-help-body");

let kept = JSON.parse(document.getElementById("hk-kept-help").textContent);
let own = false;
let drawn = null;

export function know(help) {
  kept = help;
  own = true;
  draw();
}

// Whether these are the lines of the person's own country.
export function isOwn() {
  return own;
}

// Drawn anew only when it says something else: not under the finger of somebody who reads it.
export function draw() {
  const { menu } = kept[locale()];
  if (menu !== drawn) body.innerHTML = menu;
  drawn = menu;
}

// The few numbers to have in reach at once.
export function steps() {
  return kept[locale()].steps;
}
