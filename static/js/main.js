// The chat page: joins the parts.
import * as card from "./card.js";
import * as composer from "./composer.js";
import * as feedback from "./feedback.js";
import * as help from "./help.js";
import * as memory from "./memory.js";
import * as names from "./names.js";
import * as panels from "./panels.js";
import * as transcript from "./transcript.js";
import * as consent from "./consent.js";
import { hush, interrupt, say, toast } from "./announce.js";
import * as outbox from "./outbox.js";
import { onLost, onOutdated, renew } from "./channel.js";
import { ServerRefusal, call, markOpen, onConnect, page, takeTurn } from "./connection.js";
import { onTold, tell } from "./tabs.js";
import { fill, locale, setLocale, t } from "./texts.js";

const SLOW_START_MS = 8000;
// The server gives a sign of life every second while it works.
const SILENT_MS = 7000;
const RETRY_MS = 3000;
const LONG_WAIT_MS = 20000;
const LOOK_AGAIN_MS = 1500;
const SLOW_OPEN_MS = 300;
const ANEW_MS = 60000;
// What was sent so long ago is not sent by itself any more when the page is loaded: it goes into the box.
const FRESH_MS = 300000;
const element = (id) => document.getElementById(id);

let watchdog = 0;
let longWait = 0;
let stopping = false;
let lostNote = null;
let lostNoteHasNumbers = false;
// The connection is being looked for, and whether the stream of turns went silent before.
let mending = false;
let silent = false;
// The key of the turn that is shown, and whether the language changed while it ran.
let turn = null;
let relabel = false;
// How many turns began here: what was asked for before one of them is old when it comes after it.
let begun = 0;
// The last message here before this turn took any away.
let seen = null;
// The number of the conversation that was shown whole before a turn.
let wholeBefore = null;
let elsewhere = false;
let lookAgain = 0;
// The conversation that was asked for last and has not come yet.
let opening = null;
// The turn that the other tabs have last been told of.
let toldOf = null;

function busy(now, words) {
  composer.setBusy(now);
  document.documentElement.classList.toggle("hk-busy", now);
  transcript.working(now ? words : null);
  clearTimeout(watchdog);
  if (now) watchdog = setTimeout(silence, SILENT_MS);
  else clearTimeout(longWait);
}

// A whole conversation, or the state of the turn in progress.
// ``found``: after a break, what it shows may be news.
function show(view, { restored = false, stay = false, found = false } = {}) {
  if (!view) return;
  clearTimeout(lookAgain);
  if (view.before && view.before.number !== wholeBefore) {
    wholeBefore = view.before.number;
    show({ ...view.before, busy: true, status: view.status });
  }
  if (view.conversation !== undefined) remember(view.conversation);
  if (view.list !== undefined) names.list(view.list);
  memory.know(view);
  if (view.card !== undefined) card.show(view.card, { restored: restored && !found, answered: answeredIn(view) });
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
  if (view.busy) waitingHere().forEach(({ text }) => transcript.showPending(text));
  busy(view.busy === true, view.replying ? null : view.status);
  transcript.follow();
  elsewhere = view.elsewhere === true;
  if (elsewhere) lookAgain = setTimeout(refresh, LOOK_AGAIN_MS);
}

const answeredIn = ({ items = [] }) => items.at(-1)?.html.includes('data-role="assistant"') === true;

// Another tab of this browser may have gone on with the conversation: shown without moving anything.
async function refresh() {
  clearTimeout(lookAgain);
  const { conversation } = page;
  const before = begun;
  const undisturbed = () =>
    !mending &&
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

// Another tab went on with the conversation that is shown here: looked for until it can be shown.
function toldByTab({ conversation, turn: byTurn }) {
  if (!byTurn || conversation === null || conversation !== page.conversation) return;
  elsewhere = true;
  refresh();
}

// Once when the message is stored, and once when the turn is over.
function tellTabs({ conversation, turn: key, stored, outcome }) {
  if (!conversation || (!outcome && (!stored || key === toldOf))) return;
  toldOf = key;
  tell(conversation, { turn: true });
}

// Views of a turn that the page has left behind, for another conversation, are not shown.
function showTurn(view) {
  if (view?.stored) outbox.arrived(view.turn);
  if (view) tellTabs(view);
  if (!view || view.turn !== turn) return;
  show(view);
  if (view.outcome) ended(view.outcome);
  else if (stopping && view.busy) stop();
  if (page.conversation !== null || view.outcome) sendHeld();
}

// Written before the conversation of the first message had a name: it follows into it.
function sendHeld() {
  const [letter] = outbox.waiting().filter((one) => one.held);
  if (!letter) return;
  outbox.hold(letter, page.conversation);
  deliver(letter);
  if (page.conversation !== null) sendHeld();
}

// What is on its way to the conversation that is shown.
function waitingHere() {
  return outbox.waiting().filter((letter) => letter.conversation === page.conversation || letter.held);
}

function remember(conversation) {
  page.conversation = conversation;
  page.known ||= conversation !== null;
  // Kept with this tab's place in its history only, so that a reload finds it: not in any storage.
  history.replaceState({ ...history.state, conversation }, "");
  names.mark();
}

function ended({ kind, text, code }) {
  const key = turn;
  turn = null;
  if (kind === "failed") interrupt(text);
  else if (kind === "unsent") giveBack([key], code === "too_long" ? composer.overText() : text || t(`errors.${code}`));
  else if (kind === "stopped" && outbox.waiting().some((one) => one.key === key)) giveBack([key], t("errors.stopped_unsent"));
  else if (text) say(text);
  if (relabel) open(page.conversation);
  if (kind === "done" && element("hk-card").hidden) consent.ask();
  memory.refresh();
  // Earlier messages that were not heard of to the end: they are looked for.
  const left = waitingHere().filter((letter) => letter.key !== key && !letter.held);
  if (left.length) takeUp(left);
}

// Messages that could not be stored go back into the box, before what was written since.
function giveBack(keys, words) {
  const letters = outbox.waiting().filter(({ key }) => keys.includes(key));
  letters.forEach(({ key }) => outbox.arrived(key));
  transcript.show([], false);
  if (letters.length) composer.setText([...letters.map(({ text }) => text), composer.text()].filter(Boolean).join("\n\n"));
  composer.showProblem(words);
  interrupt(words);
  composer.focus();
}

// No sign of life: the line may be dead although nothing has failed yet.
function silence() {
  silent = true;
  connectionLost();
}

// Nobody reads now what is written here: whoever is in danger gets the numbers that a telephone reaches
// without the internet, whatever they wrote.
function tellLost() {
  // Beside a card that has some, they are not said twice.
  lostNoteHasNumbers = !card.hasNumbers();
  return toast(t("errors.reconnecting"), { error: true, keep: true, beside: lostNoteHasNumbers ? help.steps() : "" });
}

// Closed before this was written, or without numbers when their card is gone.
function isLostNoteDue() {
  return lostNote !== null && (!lostNote.isConnected || !(lostNoteHasNumbers || card.hasNumbers()));
}

async function connectionLost() {
  clearTimeout(watchdog);
  if (mending) return;
  mending = true;
  say("");
  turn = null;
  busy(false);
  lostNote = lostNote ?? tellLost();
  try {
    await reconnect();
    lostNote?.remove();
    lostNote = null;
    mending = false;
  } catch {
    setTimeout(() => {
      mending = false;
      connectionLost();
    }, RETRY_MS);
  }
}

// The parts of a newer server need its own page: what was written and the conversation are still there
// afterwards. Not again and again, should that not help.
function loadAnew() {
  if (Date.now() - (history.state?.anew ?? 0) < ANEW_MS) return;
  history.replaceState({ ...history.state, anew: Date.now() }, "");
  window.location.reload();
}

// What is stored is shown, what never came is sent again.
async function reconnect() {
  const asked = page.conversation;
  // What is sent meanwhile finds its own way.
  const sent = outbox.waiting();
  await findLetters(sent);
  const found = asked ?? page.conversation;
  const view = await answered(() => call("open", { conversation: found }));
  // Meanwhile another conversation may have been opened: nothing is sent or shown in it.
  if (view && page.conversation === found) show(view.view, { restored: true, found: true });
  toast(t("errors.reconnected"));
  const lost = sent.filter((letter) => outbox.waiting().includes(letter));
  sendAgain(lost, lost.filter((letter) => letter.conversation === page.conversation && outbox.again(letter)));
}

// Those of ``lost`` that are not sent again go back into the box.
function sendAgain(lost, resent) {
  const returned = lost.filter((letter) => !resent.includes(letter));
  if (returned.length) giveBack(returned.map(({ key }) => key), t("errors.connection"));
  for (const letter of resent) {
    if (letter.action === "edit") transcript.dropFromLast({ keepMessage: false });
    transcript.showPending(letter.text);
    deliver(letter);
  }
}

// Which of the messages that were on their way have come; a new conversation is known by the one it began with.
async function findLetters(letters) {
  for (const letter of letters) {
    const place = await answered(() => call("find", { key: letter.key }));
    if (!place?.conversation) continue;
    if (letter.conversation === null && page.conversation === null) remember(place.conversation);
    outbox.arrived(letter.key);
  }
  letters.forEach((letter) => outbox.hold(letter, letter.conversation ?? page.conversation));
}

// A refusal is an answer too: the connection is there.
async function answered(ask) {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ServerRefusal && error.code !== "internal") return null;
    throw error;
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
  turn = data.key;
  if (silent) renew();
  silent = false;
  takeTurn({ ...data, ...memory.wishes(), seen });
}

const newKey = () => crypto.randomUUID?.() ?? String(Math.random());

function deliver({ key, text, action, conversation }) {
  seen = action === "edit" ? seen : transcript.lastId();
  begin({ action, text, key, conversation });
}

function send(text) {
  const editing = composer.isEditing();
  if (isArriving()) {
    // It belongs to the conversation that was asked for, and follows when that is there.
    opening.send = !editing;
    return;
  }
  const action = editing ? "edit" : "send";
  seen = transcript.lastId();
  if (composer.overLimit()) {
    begin({ action, text: composer.excerpt(text), key: newKey() });
    return;
  }
  const held = composer.isBusy() && page.conversation === null;
  const letter = { key: newKey(), text, action, conversation: page.conversation, held, at: Date.now() };
  if (editing) transcript.dropFromLast({ keepMessage: false });
  transcript.showPending(text);
  outbox.post(letter);
  composer.endEditing({ restore: true });
  if (!editing) composer.setText("");
  if (!held) deliver(letter);
  if (isLostNoteDue()) lostNote = tellLost();
  const folded = card.fold();
  if (folded) say(`${folded} ${t("turn.thinking")}`);
}

function retry() {
  if (composer.isBusy() || isArriving()) return;
  seen = transcript.lastId();
  transcript.dropFromLast({ keepMessage: true });
  // The server answers the message that it has stored; these words it reads only if it can't get at that one.
  begin({ action: "retry", key: newKey(), text: composer.excerpt(transcript.lastMessageText()) });
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
    if (error instanceof ServerRefusal) panels.problem(error, "stop");
    else connectionLost();
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
    say("");
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
  hush();
  if (lostNote) lostNote = tellLost();
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
  const before = page.country;
  page.country = country || null;
  try {
    const answer = await call("set_country", { country: page.country });
    help.know(answer.help);
    if (answer.card) card.show(answer.card, { restored: true });
    toast(t("settings.saved"));
  } catch (error) {
    // The lines are still those of the country before: its name stands above them.
    page.country = before;
    for (const option of document.querySelectorAll("[data-country] option")) option.selected = option.defaultSelected;
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

// Messages that were on their way when the page was loaded anew: stored, sent once more, or back in the box.
async function takeUp(letters) {
  const before = begun;
  await findLetters(letters).catch(() => {});
  const lost = letters.filter((letter) => outbox.waiting().includes(letter));
  const fits = (letter) => begun === before && letter.action === "send" && letter.conversation === page.conversation;
  const resent = lost.filter((letter) => fits(letter) && Date.now() - letter.at < FRESH_MS && outbox.again(letter));
  sendAgain(lost, resent);
}

async function start() {
  const before = outbox.waiting();
  const slow = setTimeout(() => { if (element("hk-boot-text")) element("hk-boot-text").textContent = t("page.slow"); }, SLOW_START_MS);
  await onConnect(showTurn);
  fill(document);
  transcript.wire();
  panels.setDrawer(false);
  try {
    const answer = await call("start", { conversation: history.state?.conversation ?? null });
    page.country = answer.country;
    page.known = answer.known;
    help.know(answer.help);
    consent.know(answer.research);
    if (answer.locale !== locale()) setLocale(answer.locale);
    if (!composer.isBusy()) show(answer.view, { restored: true });
  } catch (error) {
    panels.problem(error, "load");
  }
  markOpen();
  await takeUp(before);
  clearTimeout(slow);
  document.documentElement.classList.add("hk-ready");
}

// The list of conversations begins below the header, however large its text is.
new ResizeObserver(([head]) => {
  document.documentElement.style.setProperty("--head-height", `${head.target.offsetHeight}px`);
}).observe(document.querySelector(".hk-head"));
onLost(connectionLost);
onOutdated(loadAnew);
composer.wire({ onSend: send, onStop: stop });
card.wire();
memory.wire();
names.wire();
panels.wire({ show: (view) => show(view) });
element("hk-language").addEventListener("click", switchLanguage);
document.addEventListener("click", clicked);
document.addEventListener("visibilitychange", refresh);
window.addEventListener("focus", refresh);
onTold(toldByTab);
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-country]")) pickCountry(event.target.value);
});
start();
