// The form of a rating: what its keys do, and what of it was changed since it was shown.
import { enter, inside, listen } from "./annotate-keys.js";

const FOLDS = ".hk-fold:not(#hk-danger)";
const OPEN = "hearken-annotate-open";
let form = null;
let shown = null;

function read() {
  const one = (name) => form.querySelector(`input[name="${name}"]:checked`)?.value;
  const value = one("value");
  const scores = {};
  form.querySelectorAll("[data-measure]").forEach(({ dataset: { measure } }) => {
    const given = one(measure);
    scores[measure] = given === undefined ? null : Number(given);
  });
  form.querySelectorAll('#hk-tags .hk-choices input').forEach((box) => { scores[box.name] = Number(box.checked); });
  const reasons = [...form.querySelectorAll('input[name="reason"]:checked')].map((box) => box.value);
  return {
    value: value === undefined ? null : Number(value),
    reasons: value === "-1" ? reasons : [],
    comment: form.querySelector("#hk-comment-text").value,
    tagsRight: form.querySelector('input[name="tags_right"]').checked,
    scores,
  };
}

// Only what differs: another window's work on the same reply stays as it is.
export function changes() {
  const now = read();
  const data = {};
  if (now.value !== shown.value) data.value = now.value;
  if (now.reasons.join() !== shown.reasons.join()) data.reasons = now.reasons;
  if (now.comment !== shown.comment) data.comment = now.comment;
  const scores = Object.entries(now.scores).filter(([measure, value]) => value !== shown.scores[measure]);
  if (scores.length) data.scores = Object.fromEntries(scores);
  if (now.tagsRight && !shown.tagsRight) data.tags_right = true;
  return data;
}

// Nothing is stored without a thumb, and none that is down without a reason.
export function refuse({ missing } = {}) {
  if (missing === "reasons") {
    const zone = reasons();
    zone.root.setAttribute("aria-invalid", "true");
    enter(zone);
    zone.root.querySelector("input").focus();
    return;
  }
  const group = form.querySelector("#hk-rating");
  if (group.querySelector("input:checked")) return;
  group.setAttribute("aria-invalid", "true");
  group.querySelector("input").focus();
}

export function wire(place) {
  form = place;
  shown = read();
  form.onchange = changed;
  const folds = remembered();
  form.querySelectorAll(FOLDS).forEach((fold) => {
    fold.open = folds.includes(fold.id);
    fold.addEventListener("toggle", remember);
  });
  listen({
    u: () => thumb("1"),
    d: () => thumb("-1"),
    c: () => form.querySelector("#hk-comment-text").focus(),
    e: () => fold("hk-scales", scales),
    t: () => fold("hk-tags", tags),
    y: () => confirmTags(),
  });
}

function changed(event) {
  const { name } = event?.target ?? {};
  const down = form.querySelector('input[name="value"][value="-1"]').checked;
  form.querySelector("#hk-reasons").hidden = !down;
  if (form.querySelector("#hk-rating input:checked")) form.querySelector("#hk-rating").removeAttribute("aria-invalid");
  const why = form.querySelector("#hk-reasons");
  if (!down || why.querySelector("input:checked")) why.removeAttribute("aria-invalid");
  if (name?.startsWith("tactic.")) form.querySelector('input[name="tags_right"]').checked = true;
  const items = [...form.querySelectorAll("[data-measure]")];
  const given = items.filter((item) => item.querySelector("input:checked")).length;
  form.querySelector("#hk-scales .hk-count").textContent = `${given}/${items.length}`;
  const right = form.querySelector('input[name="tags_right"]').checked;
  form.querySelector("#hk-tags .hk-count").textContent = right ? "✓" : "";
}

function thumb(value) {
  const input = form.querySelector(`input[name="value"][value="${value}"]`);
  input.checked = true;
  changed();
  input.focus({ preventScroll: true });
  if (value === "-1") enter(reasons());
  else if (form.querySelector("#hk-scales").open) enter(scales());
  else enter(null);
}

function toggle(root, number) {
  const box = root.querySelectorAll(".hk-choices input")[number];
  if (!box) return;
  box.checked = !box.checked;
  changed({ target: box });
  box.focus();
}

function reasons() {
  const root = form.querySelector("#hk-reasons");
  return { root, digit: (n) => toggle(root, n - 1) };
}

function tags() {
  const root = form.querySelector("#hk-tags");
  return { root, digit: (n) => toggle(root, (n + 9) % 10) };
}

function scales() {
  const root = form.querySelector("#hk-scales");
  const items = [...root.querySelectorAll("[data-measure]")];
  let at = Math.max(0, items.findIndex((item) => !item.querySelector("input:checked")));
  const mark = (next) => {
    at = Math.min(Math.max(next, 0), items.length - 1);
    items.forEach((item, index) => item.classList.toggle("hk-marked-item", index === at));
    items[at].tabIndex = -1;
    items[at].focus();
  };
  const digit = (n) => {
    if (n > 5) return;
    items[at].querySelectorAll("input").forEach((input, index) => { input.checked = index + 1 === n; });
    changed();
    if (n > 0) mark(at + 1);
  };
  mark(at);
  return { root, digit, move: (step) => mark(at + step) };
}

function fold(id, makeZone) {
  const root = form.querySelector(`#${id}`);
  if (root.open && inside(root)) {
    root.open = false;
    enter(null);
    return;
  }
  root.open = true;
  if (id === "hk-tags") root.querySelector(".hk-choices input").focus();
  enter(makeZone());
}

function confirmTags() {
  const box = form.querySelector('input[name="tags_right"]');
  box.checked = true;
  changed({ target: box });
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(OPEN)) ?? [];
  } catch {
    return [];
  }
}

function remember() {
  const open = [...form.querySelectorAll(FOLDS)].filter((one) => one.open).map((one) => one.id);
  try {
    localStorage.setItem(OPEN, JSON.stringify(open));
  } catch {
    // A browser that stores nothing forgets it.
  }
}
