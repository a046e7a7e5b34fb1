// What is said: once to screen readers, and in small messages on screen.
import { t } from "./texts.js";

const TOAST_MS = 8000;
const status = document.getElementById("hk-status");
const alertBox = document.getElementById("hk-alert");
const toasts = document.getElementById("hk-toasts");

// Politely, after whatever is being read.
export function say(text) {
  status.textContent = text;
}

// At once, for help in danger and for failures. What was said before it is over: left standing, it would
// say that a reply is on its way, or that something was saved.
export function interrupt(text) {
  status.textContent = "";
  alertBox.textContent = "";
  alertBox.textContent = text;
}

// What was said in another language is neither read nor shown any more.
export function hush() {
  status.textContent = "";
  alertBox.textContent = "";
  toasts.replaceChildren();
}

// ``beside`` is markup of the server's that stands below the words.
export function toast(text, { error = false, keep = false, silent = false, beside = "" } = {}) {
  const box = document.createElement("div");
  box.className = error ? "hk-toast hk-toast-error" : "hk-toast";
  box.classList.toggle("hk-toast-kept", keep);
  const words = document.createElement("div");
  const first = document.createElement("p");
  first.textContent = text;
  words.innerHTML = beside;
  const spoken = `${text} ${words.textContent}`.trim();
  words.prepend(first);
  const close = document.createElement("button");
  close.type = "button";
  close.className = "hk-icon-button";
  close.setAttribute("aria-label", t("errors.dismiss"));
  close.innerHTML = '<svg class="hk-icon" aria-hidden="true"><use href="#hk-i-close"></use></svg>';
  close.addEventListener("click", () => box.remove());
  box.append(words, close);
  toasts.replaceChildren(box);
  if (!silent) (error ? interrupt : say)(spoken);
  if (!keep) setTimeout(() => box.remove(), TOAST_MS);
  return box;
}
