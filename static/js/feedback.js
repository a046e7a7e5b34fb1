// Thumbs below each reply: one current rating, taken back by a second press.
import { below, fill, t } from "./texts.js";
import { say, toast } from "./announce.js";
import { call } from "./connection.js";
import { problem } from "./panels.js";

const template = document.getElementById("hk-reasons");

function paint(thumbs, value) {
  for (const button of thumbs.querySelectorAll("[data-rate]")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.rate) === value));
  }
}

function current(thumbs) {
  const pressed = thumbs.querySelector('[aria-pressed="true"]');
  return pressed ? Number(pressed.dataset.rate) : null;
}

function closeReasons(thumbs) {
  thumbs.closest(".hk-item").querySelector(".hk-reasons")?.remove();
}

async function save(thumbs, value, { reasons = [], comment = "" } = {}) {
  const before = current(thumbs);
  paint(thumbs, value);
  try {
    await call("rate", { message: thumbs.dataset.message, value, reasons, comment });
    thumbs.dataset.reasons = reasons.join(" ");
    thumbs.dataset.comment = comment;
    return true;
  } catch (error) {
    paint(thumbs, before);
    problem(error, "save");
    return false;
  }
}

function openReasons(thumbs) {
  closeReasons(thumbs);
  const form = template.content.firstElementChild.cloneNode(true);
  fill(form);
  const list = form.querySelector(".hk-reason-list");
  const chosen = new Set(thumbs.dataset.reasons.split(" "));
  for (const [name, words] of below("feedback.reasons")) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = "checkbox";
    input.value = name;
    input.checked = chosen.has(name);
    label.append(input, ` ${words}`);
    list.append(label);
  }
  form.querySelector("textarea").value = thumbs.dataset.comment;
  const back = () => {
    closeReasons(thumbs);
    thumbs.querySelector('[data-rate="-1"]').focus();
  };
  form.querySelector("[data-close-reasons]").addEventListener("click", back);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const reasons = [...form.querySelectorAll("input:checked")].map((input) => input.value);
    if (await save(thumbs, -1, { reasons, comment: form.querySelector("textarea").value.trim() })) {
      back();
      toast(t("feedback.saved"));
    }
  });
  thumbs.closest(".hk-item").append(form);
  form.scrollIntoView({ block: "nearest" });
}

export async function press(button) {
  const thumbs = button.closest(".hk-thumbs");
  const value = Number(button.dataset.rate);
  const next = current(thumbs) === value ? null : value;
  closeReasons(thumbs);
  if (next === -1) openReasons(thumbs);
  if (await save(thumbs, next)) say(t(next === null ? "feedback.undone" : next > 0 ? "feedback.up_done" : "feedback.down_done"));
  else closeReasons(thumbs);
}
