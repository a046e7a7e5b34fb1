// The way to the server: calls that answer, and turns that stream views.
import { locale } from "./texts.js";
import "./channel.js";

let part = null;
let waiting = [];
const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;

// What the page currently shows; the server decides whether it may.
export const page = { conversation: null, country: null, known: false };

function common() {
  return { locale: locale(), timezone, country: page.country, conversation: page.conversation };
}

function connected() {
  return part ? Promise.resolve(part) : new Promise((resolve) => waiting.push(resolve));
}

// Gradio's component hands over its functions as soon as it is there.
export function onConnect(receive) {
  const accept = (given) => {
    part = given;
    given.watch("value", () => receive(given.props.value));
    waiting.forEach((resolve) => resolve(given));
    waiting = [];
  };
  const early = window.hearkenParts ?? [];
  window.hearkenParts = { push: accept };
  early.forEach(accept);
  return connected();
}

// What changes something is sent one after another: on a slow line an earlier choice must not overtake
// the last one and be what is kept.
const CHANGES = new Set(["rate", "set_consent", "set_country", "set_locale", "set_style", "set_remember", "name", "change_fact", "forget_fact", "forget_all"]);
let lastChange = Promise.resolve();

export function call(name, data = {}) {
  const asked = { ...common(), ...data };
  if (!CHANGES.has(name)) return send(name, asked);
  const answer = lastChange.then(() => send(name, asked));
  lastChange = answer.catch(() => {});
  return answer;
}

async function send(name, asked) {
  const { server } = await connected();
  const answer = await server[name](asked);
  // Gradio keeps a failed request to itself.
  if (!answer) throw new Error("no answer");
  if (answer.ok !== true) throw new ServerRefusal(answer.error ?? "internal");
  return answer;
}

// Gradio listens to events a little later than it hands over its functions: a turn waits for the
// first answered call.
let open = null;
const opened = new Promise((resolve) => { open = resolve; });

export function markOpen() {
  open();
}

// It belongs to the conversation that is shown when it is sent, whatever is opened while it waits.
export async function takeTurn(data) {
  const { conversation } = page;
  await opened;
  const { trigger } = await connected();
  trigger({ ...common(), conversation, ...data });
}

export class ServerRefusal extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}
