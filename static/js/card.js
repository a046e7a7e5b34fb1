// The helpline card beside the message box: opens by itself once, stays in reach afterwards.
import { t } from "./texts.js";
import { interrupt, say } from "./announce.js";

const element = (id) => document.getElementById(id);
let shown = null;
let told = false;
let due = false;
let calledBy = null;

function setOpen(open) {
  due = false;
  const toggle = element("hk-card-toggle");
  element("hk-card-body").hidden = !open;
  element("hk-card").classList.toggle("hk-card-open", open);
  toggle.textContent = open ? t("card.hide") : t("card.more");
  toggle.setAttribute("aria-label", open ? t("card.hide_label") : t("card.show"));
  toggle.setAttribute("aria-expanded", String(open));
}

// A card that comes back with a conversation that was answered long ago is one line at once; one that is
// on screen in another language or for another country stays as it is.
export function show(card, { restored = false, answered = false } = {}) {
  const region = element("hk-card");
  element("hk-skip-help").hidden = !card;
  region.hidden = !card;
  if (!card) {
    shown = null;
    return;
  }
  const isNew = shown !== card.id;
  // A message that calls for help once more opens it once, also where the same lines were folded.
  const again = Boolean(card.again) && card.again !== calledBy;
  if (again) calledBy = card.again;
  // Help that is on screen already and that nothing new calls for: it is neither opened nor announced again.
  if (!again && (!isNew || (card.repeated && shown))) return;
  const open = !restored || (shown ? !element("hk-card-body").hidden : !answered);
  shown = card.id;
  told = false;
  element("hk-card-brief").innerHTML = card.brief;
  element("hk-card-body").innerHTML = card.html;
  element("hk-card-title").textContent = card.title;
  region.dataset.level = card.level;
  setOpen(open);
  if (!restored) (card.level === "imminent" ? interrupt : say)(card.spoken);
}

// Once the person writes on, the card makes room: one line with the numbers, each one tap away.
// Not under the hand or the keyboard of somebody who is at it. Says what to tell of it, once.
export function fold() {
  const region = element("hk-card");
  due = region.matches(":hover, :focus-within");
  if (!shown || due || element("hk-card-body").hidden) return "";
  setOpen(false);
  if (told) return "";
  told = true;
  return t("card.folded");
}

// Whether a number that a telephone reaches is on it, in sight however it stands.
export function hasNumbers() {
  return shown !== null && element("hk-card-brief").querySelector("a[href^='tel:'], a[href^='sms:']") !== null;
}

export function relabel() {
  if (shown) setOpen(!element("hk-card-body").hidden);
}

export function wire() {
  const left = () => setTimeout(() => { if (due) fold(); });
  element("hk-card").addEventListener("pointerleave", left);
  element("hk-card").addEventListener("focusout", left);
  element("hk-card-toggle").addEventListener("click", () => setOpen(element("hk-card-body").hidden));
  element("hk-skip-help").addEventListener("click", (event) => {
    event.preventDefault();
    setOpen(true);
    element("hk-card").focus();
  });
}
