// The list of conversations: each goes by the name that its person gave it, or by when it began. What was
// written is never its title: whoever stands beside can read this list.
import { dateLocale, locale, t } from "./texts.js";
import { say } from "./announce.js";
import { call, page } from "./connection.js";
import { openHelp, problem } from "./panels.js";
import { onTold, tell } from "./tabs.js";

const element = (id) => document.getElementById(id);
const MAX_NAME_CHARS = 60;
const PARTS = [[5, "early"], [12, "morning"], [18, "afternoon"], [24, "evening"]];
// For so long what was named here goes before a list that was made earlier and comes later.
const FRESH_MS = 60000;
const fresh = new Map();
// What came while a name was being written, shown afterwards.
let waiting = null;
// How often another tab was heard: only the list that was asked for last is shown.
let heard = 0;

function format(when, style) {
  return new Intl.DateTimeFormat(dateLocale(), style).format(when);
}

function began(when) {
  const [, part] = PARTS.find(([end]) => when.getHours() < end);
  return t(`naming.${part}`, {
    day: format(when, { weekday: "long" }),
    date: format(when, { day: "numeric", month: "short" }),
  });
}

// Beside a day in the title the hour is enough.
function last(when, begun) {
  const today = when.toDateString() === new Date().toDateString();
  const sameDay = when.toDateString() === begun?.toDateString();
  return format(when, today || sameDay ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "short" });
}

export function list(html) {
  if (form()) {
    waiting = html;
    return;
  }
  element("hk-conversations").innerHTML = html;
  for (const button of element("hk-conversations").querySelectorAll("[data-open]")) {
    const title = button.querySelector(".hk-list-title");
    const time = button.querySelector("time");
    const begun = new Date(title.dataset.begun);
    const name = nameOf(button.dataset.open, title);
    title.textContent = name || began(begun);
    title.toggleAttribute("data-named", name !== "");
    time.textContent = last(new Date(time.dateTime), name ? null : begun);
  }
  mark();
}

// The conversation that is open.
export function mark() {
  for (const button of element("hk-conversations").querySelectorAll("[data-open]")) {
    if (button.dataset.open === page.conversation) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

// Another tab named, deleted or went on with a conversation: the list follows, whatever else is going on here.
async function follow({ conversation, turn }) {
  if (!turn) fresh.delete(conversation);
  heard += 1;
  const asked = heard;
  const language = locale();
  try {
    const { view } = await call("open", { conversation: null });
    if (asked === heard && language === locale()) list(view.list);
  } catch {
    // The next view brings the list, too.
  }
}

function nameOf(conversation, title) {
  const own = fresh.get(conversation);
  if (own && Date.now() - own.at < FRESH_MS) return own.name;
  return "named" in title.dataset ? title.textContent : "";
}

function form() {
  return element("hk-conversations").querySelector("form");
}

function make(kind, className, key) {
  const made = document.createElement(kind);
  made.className = className;
  if (key) made.textContent = t(key);
  return made;
}

function edit(pencil) {
  end();
  const item = pencil.closest("li");
  const title = item.querySelector(".hk-list-title");
  const made = make("form", "hk-naming");
  const box = make("input", "");
  box.maxLength = MAX_NAME_CHARS;
  box.autocomplete = "off";
  box.value = "named" in title.dataset ? title.textContent : "";
  box.setAttribute("aria-label", t("naming.label"));
  box.setAttribute("aria-describedby", "hk-naming-hint");
  const hint = make("p", "hk-quiet", "naming.hint");
  hint.id = "hk-naming-hint";
  const cancel = make("button", "hk-small", "naming.cancel");
  cancel.type = "button";
  cancel.addEventListener("click", () => leave(pencil.dataset.name));
  const row = make("div", "hk-row");
  row.append(make("button", "hk-button", "naming.save"), cancel);
  made.append(box, hint, row);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    save(pencil.dataset.name, box.value.trim());
  });
  made.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave(pencil.dataset.name);
  });
  for (const child of item.children) child.hidden = true;
  item.append(made);
  box.focus();
}

// The list as it was, or as it has become meanwhile.
function end(html = waiting) {
  const item = form()?.closest("li");
  form()?.remove();
  for (const child of item?.children ?? []) child.hidden = false;
  waiting = null;
  if (html !== null) list(html);
}

function leave(conversation) {
  end();
  element("hk-conversations").querySelector(`[data-name="${conversation}"]`)?.focus();
}

async function save(conversation, name) {
  try {
    const language = locale();
    const answer = await call("name", { conversation, name, shown: page.conversation });
    // As it is kept, which may be without what nobody would see.
    fresh.set(conversation, { name: answer.name, at: Date.now() });
    tell(conversation);
    end(language === locale() ? answer.list : waiting);
    element("hk-conversations").querySelector(`[data-name="${conversation}"]`)?.focus();
    say(t(answer.name ? "naming.saved" : "naming.removed"));
    if (answer.danger) openHelp();
  } catch (error) {
    problem(error, "save");
  }
}

export function wire() {
  onTold(follow);
  document.addEventListener("click", ({ target }) => {
    const pencil = target.closest("[data-name]");
    if (pencil) edit(pencil);
  });
}
