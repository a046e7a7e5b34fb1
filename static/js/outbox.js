// What is written here and not known to be stored yet: the draft in the message box, and messages on
// their way. This tab keeps both over a reload; what was stored, deleted or left by the quick exit is gone
// from it (see leave.js).
const PLACE = "hearken.draft";
// A message that is lost so often goes back into the box.
const TRIES = 3;

let { draft, letters } = read();

function read() {
  try {
    const kept = JSON.parse(window.sessionStorage.getItem(PLACE));
    return { draft: String(kept.draft ?? ""), letters: Array.isArray(kept.letters) ? kept.letters : [] };
  } catch {
    return { draft: "", letters: [] };
  }
}

function keep() {
  try {
    if (draft || letters.length) window.sessionStorage.setItem(PLACE, JSON.stringify({ draft, letters }));
    else window.sessionStorage.removeItem(PLACE);
  } catch {
    // A browser that keeps nothing: it is all lost with a reload, as before.
  }
}

export function draftText() {
  return draft;
}

export function keepDraft(text) {
  if (text === draft) return;
  draft = text;
  keep();
}

export function post(letter) {
  letters.push(Object.assign(letter, { tries: 0 }));
  keep();
}

// Where a message goes that was written before its conversation had a name.
export function hold(letter, conversation) {
  letter.held = false;
  letter.conversation = conversation;
  keep();
}

export function waiting() {
  return [...letters];
}

// Whether it may be sent once more.
export function again(letter) {
  letter.tries += 1;
  keep();
  return letter.tries < TRIES;
}

export function arrived(key) {
  if (!letters.some((one) => one.key === key)) return;
  letters = letters.filter((one) => one.key !== key);
  keep();
}

export function forget() {
  draft = "";
  letters = [];
  keep();
}
