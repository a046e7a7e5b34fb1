// The research question: asked once beside the message box, its answer shown and changed in the settings.
import { dateLocale, t } from "./texts.js";
import { toast } from "./announce.js";
import { call } from "./connection.js";
import { problem } from "./panels.js";

const element = (id) => document.getElementById(id);
let open = false;
let answer = { consent: false, at: null };

// What the server said about earlier answers, when the page was opened or everything was deleted.
export function know(known) {
  open = known.ask;
  answer = { consent: known.consent, at: known.at };
  hide();
  describe();
}

export function describe() {
  const state = answer.at === null ? "none" : answer.consent ? "yes" : "no";
  const date = answer.at && new Date(answer.at).toLocaleDateString(dateLocale(), { dateStyle: "long" });
  element("hk-consent").checked = answer.consent;
  element("hk-consent-state").textContent = t(`settings.consent_${state}`, { date });
}

export function hide() {
  element("hk-ask").hidden = true;
  element("hk-ask-spoken").textContent = "";
}

// After a reply: the server knows whether this is a moment for it, and says yes a single time.
export async function ask() {
  if (!open) return;
  try {
    if (!(await call("ask_consent")).ask) return;
  } catch {
    return; // Nobody waits for this question.
  }
  open = false;
  // Help lines came up meanwhile: nothing else is asked then.
  if (!element("hk-card").hidden) return;
  element("hk-ask").hidden = false;
  element("hk-ask-spoken").textContent = t("consent.spoken");
}

async function save(consent) {
  try {
    answer = { consent, at: (await call("set_consent", { consent })).at };
    open = false;
    if (element("hk-ask").contains(document.activeElement)) element("hk-message").focus();
    hide();
    toast(t("settings.saved"));
  } catch (error) {
    problem(error, "save");
  }
  describe();
}

export function wire() {
  element("hk-consent").addEventListener("change", ({ target }) => save(target.checked));
  element("hk-ask-yes").addEventListener("click", () => save(true));
  element("hk-ask-no").addEventListener("click", () => save(false));
}
