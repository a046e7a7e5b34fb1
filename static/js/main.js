// The chat page: joins the parts.
import * as card from "./card.js";
import * as composer from "./composer.js";
import * as feedback from "./feedback.js";
import * as memory from "./memory.js";
import * as panels from "./panels.js";
import * as transcript from "./transcript.js";
import * as consent from "./consent.js";
import { interrupt, say, toast } from "./announce.js";
import { call, markOpen, onConnect, onLost, page, takeTurn } from "./connection.js";
import { fill, locale, setLocale, t } from "./texts.js";

const SLOW_START_MS = 8000;
// The server gives a sign of life every second while it works.
const SILENT_MS = 7000;
const RETRY_MS = 3000;
const LONG_WAIT_MS = 20000;
const LOOK_AGAIN_MS = 1500;
const SLOW_OPEN_MS = 300;
const element = (id) => document.getElementById(id);

let unsent = null;
let watchdog = 0;
let longWait = 0;
let stopping = false;
let lostNote = null;
// The key of the turn that is shown, and whether the language changed while it ran.
let turn = null;
let relabel = false;
// How many turns began here: what was asked for before one of them is old when it comes after it.
let begun = 0;
// The last message here before this turn took any away.
let seen = null;
let elsewhere = false;
let lookAgain = 0;
// The conversation that was asked for last and has not come yet.
let opening = null;

function busy(now, words) {
  composer.setBusy(now);
  document.documentElement.classList.toggle("hk-busy", now);
  transcript.working(now ? words : null);
  clearTimeout(watchdog);
  if (now) watchdog = setTimeout(connectionLost, SILENT_MS);
  else clearTimeout(longWait);
}

function list(html) {
  element("hk-conversations").innerHTML = html;
  for (const time of element("hk-conversations").querySelectorAll("time")) {
    const when = new Date(time.dateTime);
    const today = when.toDateString() === new Date().toDateString();
    const style = today ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "short" };
    time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, style).format(when);
  }
}

// A whole conversation, or the state of the turn in progress.
function show(view, { restored = false, stay = false } = {}) {
  if (!view) return;
  clearTimeout(lookAgain);
  if (view.conversation !== undefined) remember(view.conversation);
  if (view.list !== undefined) list(view.list);
  memory.know(view);
  if (view.card !== undefined) card.show(view.card, { restored });
  if (view.card) {
    consent.hide();
    memory.close();
  }
  // Nothing to show yet: what was just sent stays where it is, until the server has stored it.
  if (view.busy && !view.replace && (!view.items?.length || view.stored === false)) {
    busy(true, view.status);
    return;
  }
  transcript.show(view.items ?? [], view.replace === true, { stay });
  if (view.stored) unsent = null;
  busy(view.busy === true, view.replying ? null : view.status);
  if (restored && !stay && transcript.endsWithReply()) card.fold();
  transcript.follow();
  elsewhere = view.elsewhere === true;
  if (elsewhere) lookAgain = setTimeout(refresh, LOOK_AGAIN_MS);
}

// Another tab of this browser may have gone on with the conversation: shown without moving anything.
async function refresh() {
  clearTimeout(lookAgain);
  const { conversation } = page;
  const before = begun;
  const undisturbed = () =>
    !composer.isBusy() &&
    !composer.isEditing() &&
    !transcript.isUsed() &&
    page.conversation === conversation &&
    begun === before;
  if (conversation === null || document.hidden) return;
  try {
    const view = undisturbed() ? (await call("open")).view : null;
    if (view && undisturbed()) {
      show(view, { restored: true, stay: true });
      return;
    }
  } catch {
    // The next turn, or the next look, tells what is wrong.
  }
  if (elsewhere) lookAgain = setTimeout(refresh, LOOK_AGAIN_MS);
}

// Views of a turn that the page has left behind, for another conversation, are not shown.
function showTurn(view) {
  if (!view || view.turn !== turn) return;
  show(view);
  if (view.outcome) ended(view.outcome);
  else if (stopping && view.busy) stop();
}

function remember(conversation) {
  page.conversation = conversation;
  page.known ||= conversation !== null;
  // Kept with this tab's place in its history only, so that a reload finds it: not in any storage.
  history.replaceState({ conversation }, "");
  document.querySelectorAll("[data-open]").forEach((button) => {
    if (button.dataset.open === conversation) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  });
}

function ended({ kind, text, code }) {
  turn = null;
  if (kind === "failed") interrupt(text);
  else if (kind === "unsent") giveBack(code === "too_long" ? composer.overText() : text || t(`errors.${code}`));
  else if (kind === "stopped" && unsent !== null && !isLast(unsent)) giveBack(t("errors.stopped_unsent"));
  else if (text) say(kind === "done" ? `${text} ${card.fold()}` : text);
  if (relabel) open(page.conversation);
  if (kind === "done" && element("hk-card").hidden) consent.ask();
  memory.refresh();
}

function isLast(message) {
  return transcript.lastMessageText() === message.trim();
}

// The message could not be stored: it goes back into the box, before what was written there meanwhile.
function giveBack(words) {
  transcript.show([], false);
  if (unsent !== null) composer.setText([unsent, composer.text()].filter((part) => part.trim()).join("\n\n"));
  unsent = null;
  composer.showProblem(words);
  interrupt(words);
  composer.focus();
}

async function connectionLost() {
  clearTimeout(watchdog);
  turn = null;
  lostNote = lostNote ?? toast(t("errors.reconnecting"), { error: true, keep: true });
  try {
    const { conversation } = page;
    const { view } = await call("open", { conversation });
    lostNote?.remove();
    lostNote = null;
    // Meanwhile another conversation may have been opened: the last message is not looked for in it.
    if (page.conversation === conversation) show(view, { restored: true });
    if (unsent !== null && !isLast(unsent)) giveBack(t("errors.connection"));
    else toast(t("errors.reconnected"));
    unsent = null;
  } catch {
    watchdog = setTimeout(connectionLost, RETRY_MS);
  }
}

function begin(data) {
  begun += 1;
  stopping = false;
  opening = null;
  composer.showProblem(null);
  busy(true, t("turn.thinking"));
  say(t("turn.thinking"));
  clearTimeout(longWait);
  longWait = setTimeout(() => say(t("turn.long_wait")), LONG_WAIT_MS);
  turn = crypto.randomUUID?.() ?? String(Math.random());
  takeTurn({ ...data, ...memory.wishes(), key: turn, seen });
}

function send(text) {
  const editing = composer.isEditing();
  if (isArriving()) {
    // It belongs to the conversation that was asked for, and follows when that is there.
    opening.send = !editing;
    return;
  }
  const tooLong = composer.overLimit();
  seen = transcript.lastId();
  if (!tooLong) {
    if (editing) transcript.dropFromLast({ keepMessage: false });
    transcript.showPending(text);
    composer.endEditing({ restore: true });
    if (!editing) composer.setText("");
    unsent = text;
  }
  begin({ action: editing ? "edit" : "send", text: composer.excerpt(text) });
}

function retry() {
  if (composer.isBusy() || isArriving()) return;
  seen = transcript.lastId();
  transcript.dropFromLast({ keepMessage: true });
  // The server answers the message that it has stored; these words it reads only if it can't get at that one.
  begin({ action: "retry", text: composer.excerpt(transcript.lastMessageText()) });
  composer.focus();
}

// Pressed so early that the server knows of no turn yet, it is said again with the next view.
async function stop() {
  const { conversation } = page;
  const stopped = turn;
  stopping = true;
  try {
    const answer = await call("stop", { conversation });
    if (turn === stopped) stopping = !answer.stopped;
  } catch (error) {
    panels.problem(error, "stop");
  }
}

function isArriving() {
  return opening !== null && opening.conversation !== null;
}

// A new conversation needs nothing of the server: it is there at once, and the list follows. For an
// earlier one the page waits. Of several that were asked for, only the last is shown.
async function open(conversation) {
  panels.setDrawer(false);
  if (composer.isBusy()) {
    if (conversation !== null && conversation === page.conversation && !isArriving()) return;
    stop();
    busy(false);
  }
  turn = null;
  stopping = false;
  relabel = false;
  // What went wrong with a message concerned the conversation that is left; only its length still counts.
  if (!composer.overLimit()) composer.showProblem(null);
  const asked = { conversation, send: false };
  opening = asked;
  if (conversation === null) {
    show({ conversation, items: [], replace: true, card: null });
    composer.endEditing({ restore: true });
    composer.focus();
  }
  const slow = setTimeout(() => opening === asked && isArriving() && transcript.working(t("page.loading")), SLOW_OPEN_MS);
  try {
    const { view } = await call("open", { conversation });
    if (opening === asked) arrived(view);
  } catch (error) {
    if (opening !== asked) return;
    opening = null;
    transcript.working(null);
    panels.problem(error, "load");
  } finally {
    clearTimeout(slow);
  }
}

function arrived(view) {
  const asked = opening;
  opening = null;
  show(view, { restored: true });
  if (asked.conversation === null) return;
  composer.endEditing({ restore: true });
  composer.focus();
  if (asked.send && composer.text().trim()) send(composer.text());
}

async function switchLanguage() {
  setLocale(locale() === "en" ? "zh" : "en");
  composer.refresh();
  const before = begun;
  try {
    const { view } = await call("set_locale");
    if (composer.isBusy()) relabel = true;
    else if (begun !== before) open(page.conversation);
    else if (view.conversation === page.conversation) show(view, { restored: true });
  } catch (error) {
    panels.problem(error, "save");
  }
  card.relabel();
  consent.describe();
  memory.relabel();
}

async function pickCountry(country) {
  page.country = country || null;
  try {
    const answer = await call("set_country", { country: page.country });
    element("hk-help-body").innerHTML = answer.menu;
    if (answer.card) card.show(answer.card, { restored: true });
    toast(t("settings.saved"));
  } catch (error) {
    panels.problem(error, "save");
  }
}

function clicked(event) {
  const target = event.target instanceof Element ? event.target : null;
  const rate = target?.closest("[data-rate]");
  if (rate) feedback.press(rate);
  const named = target?.closest("[data-open]");
  if (named) open(named.dataset.open);
  const action = target?.closest("[data-action]")?.dataset.action;
  if (action === "retry") retry();
  if (action === "edit" && !composer.isBusy() && !isArriving()) composer.startEditing(transcript.lastMessageText());
  if (target?.closest("#hk-new")) open(null);
  if (target?.closest("#hk-settings")) panels.openSettings();
}

async function start() {
  const slow = setTimeout(() => { if (element("hk-boot-text")) element("hk-boot-text").textContent = t("page.slow"); }, SLOW_START_MS);
  await onConnect(showTurn);
  fill(document);
  transcript.wire();
  panels.setDrawer(false);
  try {
    const answer = await call("start", { conversation: history.state?.conversation ?? null });
    page.country = answer.country;
    page.known = answer.known;
    consent.know(answer.research);
    if (answer.locale !== locale()) setLocale(answer.locale);
    if (!composer.isBusy()) show(answer.view, { restored: true });
  } catch (error) {
    panels.problem(error, "load");
  }
  markOpen();
  clearTimeout(slow);
  document.documentElement.classList.add("hk-ready");
}

// The list of conversations begins below the header, however large its text is.
new ResizeObserver(([head]) => {
  document.documentElement.style.setProperty("--head-height", `${head.target.offsetHeight}px`);
}).observe(document.querySelector(".hk-head"));
onLost(connectionLost);
composer.wire({ onSend: send, onStop: stop });
card.wire();
memory.wire();
panels.wire({ show: (view) => show(view) });
element("hk-language").addEventListener("click", switchLanguage);
document.addEventListener("click", clicked);
document.addEventListener("visibilitychange", refresh);
window.addEventListener("focus", refresh);
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-country]")) pickCountry(event.target.value);
});
start();
