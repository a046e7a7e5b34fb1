// The messages on screen. The server sends entries with ids; only those that changed are touched,
// so that focus, selection and scroll position of all others stay.
import { t } from "./texts.js";

const LIVE = "~";
const NEAR_END_PX = 120;
const MARGIN_PX = 16;
const element = (id) => document.getElementById(id);
const written = new WeakMap();
let following = true;
let lastTop = 0;
let lastShape = "";

function build(item) {
  const holder = document.createElement("template");
  holder.innerHTML = item.html;
  const node = holder.content.firstElementChild;
  node.dataset.id = item.id;
  written.set(node, item.html);
  return node;
}

// Before Gradio has drawn the conversation, the frame's own first screen stands in for it.
const list = () => element("hk-items") ?? element("hk-boot-items");
const scrollArea = () => element("hk-conversation") ?? element("hk-boot");

function nodes() {
  return [...list().children];
}

function welcome(visible) {
  for (const part of document.querySelectorAll(".hk-welcome")) part.hidden = !visible;
}

// Only what changed is touched: in a long conversation every class that is set anew costs.
// A reply is the last one only when nothing was said after it: another reply to an earlier message
// can't be asked for.
function markLast() {
  const all = nodes();
  const [mine, reply] = ["user", "assistant"].map((role) => all.findLastIndex((node) => node.dataset.role === role));
  const last = new Set([all[mine], reply > mine ? all[reply] : undefined]);
  for (const node of list().querySelectorAll(":scope > .hk-last")) {
    if (!last.has(node)) node.classList.remove("hk-last");
  }
  for (const node of last) if (node && !node.classList.contains("hk-last")) node.classList.add("hk-last");
}

function put(item, byId) {
  const old = byId.get(item.id);
  if (old && written.get(old) === item.html) return;
  const fresh = build(item);
  byId.set(item.id, fresh);
  if (old) old.replaceWith(fresh);
  else list().append(fresh);
}

export function show(items, replace, { stay = false } = {}) {
  const wanted = new Set(items.map((item) => item.id));
  const leaves = (node) => !wanted.has(node.dataset.id) && (replace || node.dataset.id.startsWith(LIVE));
  nodes().filter(leaves).forEach((node) => node.remove());
  const byId = new Map(nodes().map((node) => [node.dataset.id, node]));
  items.forEach((item) => put(item, byId));
  if (replace) inOrder(items, byId);
  markLast();
  welcome(nodes().length === 0);
  if (following || (replace && !stay)) toEnd();
}

function inOrder(items, byId) {
  let next = list().firstElementChild;
  for (const item of items) {
    const node = byId.get(item.id);
    if (node === next) next = next.nextElementSibling;
    else list().insertBefore(node, next);
  }
}

// Shown at once, before the server has answered: what was sent.
export function showPending(text) {
  const node = document.createElement("article");
  node.className = "hk-item hk-mine";
  node.dataset.id = `${LIVE}sent`;
  node.dataset.role = "user";
  const heading = document.createElement("h3");
  heading.className = "hk-sr";
  heading.textContent = t("turn.you");
  const bubble = document.createElement("div");
  bubble.className = "hk-bubble hk-verbatim";
  bubble.textContent = text.trim();
  node.append(heading, bubble);
  list().append(node);
  welcome(false);
  markLast();
  toEnd();
}

// The person's last message and everything after it, or only what comes after it.
export function dropFromLast({ keepMessage }) {
  const all = nodes();
  const index = all.findLastIndex((node) => node.dataset.role === "user");
  if (index >= 0) all.slice(keepMessage ? index + 1 : index).forEach((node) => node.remove());
  markLast();
}

// What the server compares with: another tab may have gone on meanwhile.
export function lastId() {
  return nodes().findLast((node) => node.dataset.role && !node.dataset.id.startsWith(LIVE))?.dataset.id ?? null;
}

// Somebody is at one of the messages: rates it, or has the keyboard there.
export function isUsed() {
  return list().contains(document.activeElement) || list().querySelector(".hk-reasons") !== null;
}

export function lastMessageText() {
  const node = nodes().findLast((one) => one.dataset.role === "user");
  return node?.querySelector(".hk-bubble").textContent ?? "";
}

export function working(text) {
  const row = element("hk-working");
  if (!row) {
    element("hk-boot-text").textContent = text ?? t("page.loading");
    return;
  }
  row.hidden = !text;
  element("hk-working-text").textContent = text ?? "";
  if (text && following) toEnd();
}

function nearEnd() {
  const area = scrollArea();
  return area.scrollHeight - area.scrollTop - area.clientHeight < NEAR_END_PX;
}

// To the end, but not past the beginning of the newest reply: it is read from its first line.
export function toEnd() {
  const area = scrollArea();
  const reply = nodes().at(-1);
  const end = area.scrollHeight - area.clientHeight;
  const isReply = reply?.dataset.role === "assistant";
  area.scrollTop = isReply ? Math.min(end, Math.max(reply.offsetTop - MARGIN_PX, 0)) : end;
  following = true;
  lastShape = shape(area);
}

// After whatever changed the room or the length: the end, if it was in sight before.
export function follow() {
  if (following) toEnd();
}

// Only a person's own scrolling up ends the following, not a card or a message that comes or goes
// and moves what is in sight: then the lengths have changed too.
function scrolled() {
  const area = scrollArea();
  const moved = shape(area) !== lastShape;
  if (area.scrollTop < lastTop - 1 && !moved) following = nearEnd();
  else if (nearEnd()) following = true;
  lastTop = area.scrollTop;
  lastShape = shape(area);
}

const shape = (area) => `${area.scrollHeight}/${area.clientHeight}`;

// Gradio has drawn the conversation: what was sent before moves into it. When the card or a long
// message takes room, the end of the conversation stays in sight.
export function wire() {
  const early = [...element("hk-boot-items").children];
  element("hk-items").append(...early);
  if (early.length) {
    welcome(false);
    working(element("hk-boot-text").textContent);
  }
  element("hk-boot").remove();
  const area = scrollArea();
  area.addEventListener("scroll", scrolled, { passive: true });
  new ResizeObserver(follow).observe(area);
}
