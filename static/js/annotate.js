// The annotation page: shows one reply or turn at a time and sends what was changed of it.
// While the server is asked, keys and buttons rest: nothing can be said of a reply not yet seen.
import { enter, listen, onKey } from "./annotate-keys.js";
import * as danger from "./annotate-danger.js";
import * as draft from "./annotate-draft.js";
import * as ranking from "./annotate-rank.js";
import * as rating from "./annotate-rate.js";

const CALLS = {
  rate: { begin: "begin", save: "save", skip: "skip", undo: "undo", flag: "flag_danger" },
  rank: { begin: "rank_begin", save: "rank_save", skip: "rank_skip", undo: "rank_undo", flag: "flag_danger" },
};
const FORMS = { rate: rating, rank: ranking };
const element = (id) => document.getElementById(id);

let server = null;
let busy = false;
// Until the page is left: a skipped reply comes back at the next visit.
const skipped = { rate: [], rank: [] };
// Ids only, kept with this tab's place in its history: a reload shows the same reply again.
const kept = { mode: "rate", current: {}, done: { rate: [], rank: [] }, ...history.state };

function keep() {
  history.replaceState({ ...kept }, "");
}

function rest(now) {
  busy = now;
  element("hk-desk")?.setAttribute("aria-busy", String(now));
  element("hk-working")?.toggleAttribute("hidden", !now);
}

function say(text) {
  element("hk-notice").textContent = text ?? "";
}

async function ask(action, data = {}) {
  if (busy) return null;
  rest(true);
  const message = kept.current[kept.mode] ?? null;
  try {
    const answer = await server[CALLS[kept.mode][action]]({ message, skipped: skipped[kept.mode], ...data });
    if (!answer || typeof answer.notice !== "string") throw new Error("refused");
    return answer;
  } catch {
    if (element("hk-notice")) say(element("hk-notice").dataset.failed);
    return null;
  } finally {
    rest(false);
  }
}

function show(answer, { quiet = false } = {}) {
  if (answer.frame) frame(answer.frame);
  say(answer.notice);
  if (answer.progress !== undefined) element("hk-progress").textContent = answer.progress;
  if (answer.task !== undefined) task(answer.task, { quiet, given: answer.given });
  element("hk-undo").hidden = kept.done[kept.mode].length === 0;
  if (answer.results) element("hk-results").innerHTML = answer.results;
  element("hk-results").hidden = kept.mode !== "rank" || !element("hk-results").innerHTML;
  keep();
}

function frame(html) {
  element("hk-desk").innerHTML = html;
  element("hk-task").addEventListener("submit", (event) => event.preventDefault());
  for (const name of ["save", "skip", "undo"]) element(`hk-${name}`).addEventListener("click", actions[name]);
  element("hk-keys").addEventListener("click", actions.keys);
  document.querySelectorAll("[data-mode]").forEach((button) => {
    button.addEventListener("click", () => change(button.dataset.mode));
  });
}

function task(shown, { quiet, given }) {
  kept.current[kept.mode] = shown?.id ?? null;
  const place = element("hk-task");
  place.innerHTML = shown?.html ?? "";
  place.dataset.shown = shown?.id ?? "";
  element("hk-save").hidden = element("hk-skip").hidden = !shown;
  enter(null);
  listen({});
  draft.leave();
  if (!shown) {
    if (!quiet) element("hk-notice").focus();
    return;
  }
  FORMS[kept.mode].wire(place);
  danger.wire(actions.flag);
  if (draft.wire(place, kept.mode, shown.id, given) && !given) {
    say(`${element("hk-notice").textContent} ${element("hk-notice").dataset.draft}`.trim());
  }
  if (quiet) return;
  // The new reply is read from its beginning, by eye and by screen reader.
  const first = element("hk-reply") ?? place;
  first.focus({ preventScroll: true });
  element("hk-desk").scrollIntoView({ block: "start" });
}

const actions = {
  async save() {
    if (!kept.current[kept.mode]) return;
    const mode = kept.mode;
    const current = kept.current[mode];
    const answer = await ask("save", FORMS[mode].changes());
    if (!answer) return;
    if (answer.task === undefined) {
      show(answer);
      FORMS[mode].refuse(answer);
      return;
    }
    // Stored, or not to be rated any more.
    draft.drop(mode, current);
    if (answer.saved) kept.done[mode] = [...kept.done[mode].filter((id) => id !== answer.saved), answer.saved];
    show(answer);
  },
  async skip() {
    const current = kept.current[kept.mode];
    if (!current || busy) return;
    const answer = await ask("skip", { skipped: [...skipped[kept.mode], current] });
    if (!answer) return;
    skipped[kept.mode].push(current);
    show(answer);
  },
  async undo() {
    const done = kept.done[kept.mode];
    if (!done.length) return;
    const answer = await ask("undo", { message: done.at(-1) });
    if (!answer) return;
    kept.done[kept.mode] = done.slice(0, -1);
    show(answer);
  },
  danger() {
    danger.open();
  },
  async flag() {
    const current = kept.current[kept.mode];
    if (!current) return;
    const answer = await ask("flag", danger.read());
    if (!answer) return;
    if (!answer.flagged) {
      danger.refuse(answer);
      return;
    }
    for (const mode of ["rate", "rank"]) draft.drop(mode, current);
    const next = await begin();
    if (next) show({ ...next, frame: undefined, notice: `${answer.notice} ${next.notice}`.trim() });
  },
  keys() {
    element("hk-key-list").toggleAttribute("hidden");
    if (!element("hk-key-list").hidden) element("hk-key-list").scrollIntoView({ block: "nearest" });
  },
  mode() {
    return change(kept.mode === "rate" ? "rank" : "rate");
  },
};

// A reply that can't be shown any more leaves no draft behind.
async function begin(data = {}) {
  const { mode, current: { [kept.mode]: named } } = kept;
  const answer = await ask("begin", data);
  if (answer && named && answer.task?.id !== named) draft.drop(mode, named);
  return answer;
}

async function change(mode) {
  if (busy || mode === kept.mode) return;
  const before = kept.mode;
  kept.mode = mode;
  const answer = await begin();
  if (!answer) {
    kept.mode = before;
    return;
  }
  press();
  show(answer);
}

function press() {
  document.querySelectorAll("[data-mode]").forEach((button) => {
    button.setAttribute("aria-pressed", String(button.dataset.mode === kept.mode));
  });
}

// A link such as #rate=ID or #flag=ID names a reply; taken once, so that going on and a reload work as ever.
function linked() {
  const [, step, id] = /^#(rate|flag)=([0-9a-f-]{36})$/.exec(location.hash) ?? [];
  if (!id) return null;
  kept.mode = "rate";
  kept.current.rate = id;
  history.replaceState({ ...kept }, "", location.pathname);
  return { step, id };
}

// Whoever signs in again goes on where the login had ended.
function unfinished() {
  const left = history.state ? null : window.hearkenDrafts.newest(["rate", "rank"]);
  if (!left) return;
  kept.mode = left.kind;
  kept.current[left.kind] = left.id;
}

async function start({ server: given }) {
  await window.hearkenDrafts.ready;
  server = given;
  unfinished();
  const link = linked();
  const mode = kept.mode;
  kept.mode = "rate";
  const answer = await begin({ linked: link !== null });
  if (!answer) return;
  show(answer, { quiet: true });
  if (mode === "rank") await change("rank");
  if (link?.step === "flag" && kept.current.rate === link.id) danger.open();
}

document.addEventListener("keydown", (event) => {
  onKey(event, { actions, isBusy: () => busy, ready: () => server });
  if (!busy) draft.keep();
});
for (const name of ["input", "change"]) document.addEventListener(name, draft.keep);
window.addEventListener("hearken-ended", () => { server = null; });
const early = window.hearkenDesk ?? [];
window.hearkenDesk = { push: start };
early.slice(-1).forEach(start);
