// Keys of the annotation page. They rest while somebody types, holds a key down or waits for the server.
const OTHERS = { s: "skip", z: "undo", r: "mode", f: "danger", "?": "keys" };

// Where digits and arrows go: { digit(n), move(step), letter(key), root }, or nowhere.
let zone = null;
// Letters of what is on the screen, by key.
let letters = {};

export function enter(next) {
  zone?.root.classList.remove("hk-active");
  zone = next;
  zone?.root.classList.add("hk-active");
}

export function inside(root) {
  return zone !== null && zone.root === root;
}

export function listen(known) {
  letters = known;
}

function typing(target) {
  return target instanceof Element && target.closest("textarea, select, input:not([type=radio], [type=checkbox])");
}

export function onKey(event, { actions, isBusy, ready }) {
  const { key, target } = event;
  if (!ready()) return;
  if (typing(target)) {
    const saves = key === "Enter" && (event.ctrlKey || event.metaKey);
    if (key === "Escape") target.blur();
    if (saves) handle(event, isBusy, actions.save);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const work = meaning(key, target, actions);
  if (work) handle(event, isBusy, work);
}

function handle(event, isBusy, work) {
  event.preventDefault();
  if (!event.repeat && !isBusy()) work();
}

function meaning(key, target, actions) {
  const native = target instanceof Element && target.closest("button, a, summary");
  if (key === "Enter") return native ? null : actions.save;
  if (/^[0-9]$/.test(key)) return zone && (() => zone.digit(Number(key)));
  if (key === "ArrowUp" || key === "ArrowDown") {
    const free = zone?.move && !target.matches?.("input");
    return free && (() => zone.move(key === "ArrowDown" ? 1 : -1));
  }
  const name = key.toLowerCase();
  if (OTHERS[name]) return actions[OTHERS[name]];
  return letters[name] ?? null;
}
