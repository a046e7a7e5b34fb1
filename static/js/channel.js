// Gradio's channel for turns, so that no break of it is the last one.
//
// Gradio's client takes one failed request for the end: from then on it sends nothing any more, it only
// asks for the app's id and reloads the page when that is answered, and with it goes what the person was
// writing. So it never hears of a break: a request that failed is told to it as a refusal, a stream that
// broke as one that ended, and the next turn opens a new one. The page is told, and mends itself (see main.js).
const fetched = window.fetch.bind(window);
const LOST = 'data: {"msg":"unexpected_error","message":"lost","success":false}\n\ndata: {"msg":"close_stream"}\n\n';
const END = "\n\n";
const STREAM = { "content-type": "text/event-stream" };
const NOT_FOUND = 404;
const HELD_UP_MS = 2000;
const encoder = new TextEncoder();

let answering = true;
let joined = Promise.resolve();
let lost = () => {};
let outdated = () => {};
let leaving = false;
let cut = () => {};

// Whether the server answered what was asked last, if only with a refusal.
export function isAnswering() {
  return answering;
}

async function ask(resource, options) {
  try {
    const answer = await fetched(resource, options);
    answering = true;
    return answer;
  } catch (error) {
    if (error.name !== "AbortError") answering = false;
    throw error;
  }
}

export function onLost(notify) {
  lost = notify;
}

// The server answers, but no longer knows this page's parts: it was put up anew with others.
export function onOutdated(notify) {
  outdated = notify;
}

// Ends a stream that has been silent: a line that is dead on one side only is not noticed otherwise.
export function renew() {
  cut();
}

function told() {
  if (!leaving) lost();
}

function refused() {
  told();
  return new Response('{"detail":"lost"}', { status: 503, headers: { "content-type": "application/json" } });
}

// One after another: of several requests on their way at once, any may arrive first, and messages are to
// come in the order they were written. One that gets no answer holds the next up for a moment only.
async function join(resource, options) {
  const earlier = joined;
  let answered = () => {};
  joined = new Promise((resolve) => { answered = resolve; });
  await Promise.race([earlier, new Promise((resolve) => { setTimeout(resolve, HELD_UP_MS); })]);
  try {
    const answer = await ask(resource, options);
    if (answer.ok) return answer;
    if (answer.status === NOT_FOUND) outdated();
  } catch {
    // As if the server had refused it.
  } finally {
    answered();
  }
  return refused();
}

async function call(resource, options) {
  const answer = await ask(resource, options);
  if (answer.status === NOT_FOUND) outdated();
  return answer;
}

// The events of a stream as they come; a server that does not know the page any more is no other case.
async function pass(reader, controller) {
  const decoder = new TextDecoder();
  let ended = false;
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return ended;
    const events = (rest + decoder.decode(value, { stream: true })).split(END);
    rest = events.pop();
    for (const event of events) {
      ended ||= event.includes('"msg":"close_stream"');
      const known = event.replace('"session_not_found":true', '"session_not_found":false');
      controller.enqueue(encoder.encode(known + END));
    }
  }
}

function lasting(body, signal) {
  const reader = body.getReader();
  cut = () => reader.cancel().catch(() => {});
  return new ReadableStream({
    async start(controller) {
      const ended = await pass(reader, controller).catch(() => false);
      try {
        if (!ended && !signal?.aborted) {
          controller.enqueue(encoder.encode(LOST));
          told();
        }
        controller.close();
      } catch {
        // Nobody reads it any more.
      }
    },
    cancel: () => reader.cancel(),
  });
}

async function listen(resource, options) {
  try {
    const answer = await ask(resource, options);
    if (answer.ok && answer.body) return new Response(lasting(answer.body, options?.signal), { headers: STREAM });
  } catch {
    // As if it had broken off at once.
  }
  if (!options?.signal?.aborted) told();
  return new Response(LOST, { headers: STREAM });
}

window.fetch = (resource, options) => {
  const { pathname } = new URL(resource?.url ?? resource, window.location.href);
  if (pathname.endsWith("/queue/join")) return join(resource, options);
  if (pathname.endsWith("/queue/data")) return listen(resource, options);
  if (pathname.includes("/component_server")) return call(resource, options);
  return ask(resource, options);
};

// When the page is left, the browser ends its connections by itself; Gradio would end them first and
// call that an error.
window.addEventListener("beforeunload", (event) => event.stopImmediatePropagation());
window.addEventListener("pagehide", () => { leaving = true; });
