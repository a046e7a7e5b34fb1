// The message box: its limit, its keys, and the button that sends or stops.
import { maxChars, number, t } from "./texts.js";
import { say } from "./announce.js";
import { draftText, keepDraft } from "./outbox.js";

const form = document.getElementById("hk-composer");
const box = document.getElementById("hk-message");
const count = document.getElementById("hk-count");
const problem = document.getElementById("hk-problem");
const sendButton = document.getElementById("hk-send");
const stopButton = document.getElementById("hk-stop");
const editing = document.getElementById("hk-editing");
const MAX_SHARE_OF_SCREEN = 0.4;
// From this share of the limit on, the count is shown on phones too.
const NEAR = 0.8;
const MAX_SENT = 2 * maxChars + 20000;

let busy = false;
let draft = null;

// As the server counts: code points, not UTF-16 units.
const length = (text) => [...text.trim()].length;

export function text() {
  return box.value;
}

export function setText(value) {
  box.value = value;
  refresh();
}

export function focus() {
  box.focus();
}

export function isEditing() {
  return draft !== null;
}

export function startEditing(message) {
  draft = draft ?? box.value;
  editing.hidden = false;
  setText(message);
  box.focus();
  box.setSelectionRange(message.length, message.length);
}

export function endEditing({ restore }) {
  if (draft === null) return;
  if (restore) setText(draft);
  draft = null;
  editing.hidden = true;
}

export function showProblem(words) {
  problem.textContent = words ?? "";
  problem.hidden = !words;
  box.setAttribute("aria-invalid", words ? "true" : "false");
}

export function setBusy(now) {
  if (busy === now) return;
  const focused = document.activeElement;
  busy = now;
  showButtons();
  stopButton.hidden = !now;
  if (focused === sendButton || focused === stopButton) box.focus();
}

// Whoever has written on can send it while a reply is made.
function showButtons() {
  sendButton.hidden = busy && !box.value.trim();
}

export function isBusy() {
  return busy;
}

function refresh() {
  keepDraft(box.value);
  showButtons();
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight + 2, window.innerHeight * MAX_SHARE_OF_SCREEN)}px`;
  const used = length(box.value);
  count.textContent = t("composer.count", { used: number(used), limit: number(maxChars) });
  const over = used - maxChars;
  count.classList.toggle("hk-near", used > NEAR * maxChars);
  count.classList.toggle("hk-over", over > 0);
  if (over > 0) showProblem(overText());
  else if (!problem.hidden) showProblem(null);
}

// Of a message that is far too long, its beginning and end: enough to notice a crisis in it.
export function excerpt(message) {
  return message.length > MAX_SENT ? `${message.slice(0, MAX_SENT / 2)}\n${message.slice(-MAX_SENT / 2)}` : message;
}

export function overText() {
  return t("composer.over", { over: number(length(box.value) - maxChars) });
}

export function overLimit() {
  return length(box.value) > maxChars;
}

export function wire({ onSend, onStop }) {
  const trySend = () => {
    if (!box.value.trim()) {
      showProblem(t("composer.empty"));
      say(t("composer.empty"));
      box.focus();
    } else onSend(box.value);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    trySend();
  });
  box.addEventListener("keydown", (event) => {
    // While a Chinese or other input method composes, Enter picks a word (229: older browsers).
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    trySend();
  });
  box.addEventListener("input", refresh);
  stopButton.addEventListener("click", onStop);
  window.addEventListener("resize", refresh);
  document.getElementById("hk-cancel-edit").addEventListener("click", () => {
    endEditing({ restore: true });
    box.focus();
  });
  if (!box.value) box.value = draftText();
  refresh();
}

export { refresh };
