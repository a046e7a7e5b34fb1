// How the person wants to be answered, and what is remembered of the conversation.
import { keepsMemory, t } from "./texts.js";
import { say, toast } from "./announce.js";
import { call, page } from "./connection.js";
import { confirm, openHelp, problem } from "./panels.js";

const element = (id) => document.getElementById(id);
let facts = [];
// Picked before there is a conversation: sent along with its first message.
let picked = false;

export function wishes() {
  return { style: element("hk-style").value, remember: element("hk-remember").checked };
}

// What a view says of the conversation that it shows.
export function know(view) {
  if (view.style === undefined) return;
  if (view.conversation === null && picked) return;
  picked = false;
  element("hk-style").value = view.style;
  element("hk-remember").checked = view.remember;
  refresh();
}

export function close() {
  setOpen(false);
}

// Asked for anew when the panel is looked at: after a turn there may be more in it.
export async function refresh() {
  if (!isOpen()) return;
  if (page.conversation === null) {
    show({ facts: [] });
    return;
  }
  const { conversation } = page;
  try {
    const answer = await call("memory");
    if (page.conversation === conversation && !isEditing()) show(answer);
  } catch (error) {
    problem(error, "load");
  }
}

function isOpen() {
  return !element("hk-memory").hidden;
}

function isEditing() {
  return element("hk-facts").querySelector("form") !== null;
}

function setOpen(open) {
  element("hk-memory").hidden = !open;
  element("hk-memory-toggle").setAttribute("aria-expanded", String(open));
}

function show(answer) {
  facts = answer.facts;
  if (answer.remember !== undefined) element("hk-remember").checked = answer.remember;
  element("hk-facts").replaceChildren(...facts.map(entry));
  element("hk-no-facts").hidden = facts.length > 0;
  element("hk-forget-all").hidden = facts.length === 0;
}

export function relabel() {
  if (!isEditing()) show({ facts });
}

function make(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function button(className, key, text, work) {
  const made = make("button", className, t(key));
  made.type = "button";
  made.setAttribute("aria-label", `${t(key)}: ${text}`);
  made.addEventListener("click", work);
  return made;
}

function entry(fact) {
  const item = make("li", "hk-fact");
  item.dataset.fact = fact.id;
  const words = make("p", "hk-fact-words");
  words.append(make("span", "hk-fact-kind", t(`memory.kind.${fact.kind}`)), " ", make("span", "hk-fact-text", fact.text));
  if (fact.changed) words.append(" ", make("span", "hk-fact-kind", t("memory.changed_by_you")));
  const controls = make("div", "hk-fact-controls");
  controls.append(
    button("hk-small", "memory.change", fact.text, () => edit(item, fact)),
    button("hk-small", "memory.forget", fact.text, () => forget(fact)),
  );
  item.append(words, controls);
  return item;
}

function edit(item, fact) {
  const form = make("form", "hk-fact-form");
  const box = make("textarea", "");
  box.rows = 2;
  box.maxLength = 200;
  box.value = fact.text;
  box.setAttribute("aria-label", t(`memory.kind.${fact.kind}`));
  const save = make("button", "hk-button", t("memory.save"));
  const cancel = button("hk-small", "memory.cancel", fact.text, () => leave(item, fact));
  const row = make("div", "hk-row");
  row.append(save, cancel);
  form.append(box, row);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    change(item, fact, box.value.trim());
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave(item, fact);
  });
  item.replaceChildren(form);
  box.focus();
}

function leave(item, fact) {
  const shown = entry(fact);
  item.replaceWith(shown);
  shown.querySelector("button").focus();
}

async function change(item, fact, text) {
  if (!text || text === fact.text) {
    leave(item, fact);
    return;
  }
  try {
    const answer = await call("change_fact", { fact: fact.id, text });
    if (!answer.kept) {
      if (answer.danger) openHelp();
      else toast(t("memory.refused"), { error: true });
      return;
    }
    show(answer);
    element("hk-facts").querySelector(`[data-fact="${fact.id}"] button`)?.focus();
    toast(t("memory.saved"));
  } catch (error) {
    problem(error, "save");
  }
}

async function forget(fact) {
  const place = facts.findIndex((one) => one.id === fact.id);
  try {
    show(await call("forget_fact", { fact: fact.id }));
    const next = element("hk-facts").children[Math.min(place, facts.length - 1)];
    (next?.querySelector("button") ?? element("hk-memory")).focus();
    toast(t("memory.forgotten"));
  } catch (error) {
    problem(error, "delete");
  }
}

async function forgetAll() {
  if (!(await confirm("forget_all"))) return;
  try {
    show(await call("forget_all"));
    element("hk-memory").focus();
    toast(t("memory.all_forgotten"));
  } catch (error) {
    problem(error, "delete");
  }
}

async function setStyle({ target }) {
  const told = t("style.changed", { style: target.selectedOptions[0].textContent });
  if (page.conversation === null) {
    picked = true;
    say(told);
    return;
  }
  try {
    await call("set_style", { style: target.value });
    say(told);
  } catch (error) {
    problem(error, "save");
  }
}

async function setRemember({ target }) {
  const told = t(target.checked ? "memory.on" : "memory.off");
  if (page.conversation === null) {
    picked = true;
    say(told);
    return;
  }
  try {
    show(await call("set_remember", { remember: target.checked }));
    toast(told);
  } catch (error) {
    target.checked = !target.checked;
    problem(error, "save");
  }
}

export function wire() {
  element("hk-style").addEventListener("change", setStyle);
  element("hk-remember").addEventListener("change", setRemember);
  element("hk-forget-all").addEventListener("click", forgetAll);
  const toggle = element("hk-memory-toggle");
  toggle.hidden = !keepsMemory;
  toggle.addEventListener("click", async () => {
    setOpen(!isOpen());
    if (!isOpen()) return;
    await refresh();
    element("hk-memory").focus();
  });
  element("hk-memory").addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || isEditing()) return;
    setOpen(false);
    toggle.focus();
  });
  element("hk-memory-close").addEventListener("click", () => {
    setOpen(false);
    toggle.focus();
  });
}
