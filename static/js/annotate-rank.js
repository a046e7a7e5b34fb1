// The form of a ranking: a place for each candidate, equal places are a tie.
import { enter, listen } from "./annotate-keys.js";

let form = null;
let goTo = null;

export function changes() {
  const places = {};
  form.querySelectorAll("[data-candidate]").forEach((card) => {
    const given = card.querySelector("input:checked");
    if (given) places[card.dataset.candidate] = Number(given.value);
  });
  return { places };
}

// The first candidate without a place, where the one who ranks goes on.
export function refuse() {
  const cards = [...form.querySelectorAll("[data-candidate]")];
  const empty = cards.findIndex((card) => !card.querySelector("input:checked"));
  if (empty >= 0) goTo(empty);
}

export function wire(place) {
  form = place;
  form.onchange = null;
  const cards = [...form.querySelectorAll("[data-candidate]")];
  let at = 0;
  const mark = (next) => {
    at = Math.min(Math.max(next, 0), cards.length - 1);
    cards.forEach((card, index) => card.classList.toggle("hk-marked-item", index === at));
    cards[at].focus({ preventScroll: true });
    cards[at].scrollIntoView({ block: "nearest" });
  };
  const digit = (n) => {
    const input = cards[at].querySelector(`input[value="${n}"]`);
    if (!input) return;
    input.checked = true;
    mark(at + 1);
  };
  goTo = mark;
  listen({});
  enter({ root: form, digit, move: (step) => mark(at + step) });
  cards[0]?.classList.add("hk-marked-item");
}
