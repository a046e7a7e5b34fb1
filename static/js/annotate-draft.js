// What is not saved yet of the task on the screen, kept as a draft of this tab and put back when it is shown again.
const CONTROLS = "input, textarea";
const ticked = (control) => control.matches("input");
const key = (control) => (ticked(control) ? `${control.name}=${control.value}` : control.id);
const state = (control) => (ticked(control) ? control.checked : control.value);

let form = null;
let named = null;
let before = {};

const controls = () => [...form.querySelectorAll(CONTROLS)];

// Call it when the form shows what is stored; true when something was put back: a draft, or what was taken back.
export function wire(place, kind, id, given = null) {
  form = place;
  named = [kind, id];
  before = Object.fromEntries(controls().map((control) => [key(control), state(control)]));
  const kept = given ?? window.hearkenDrafts.read(kind, id);
  if (!kept) return false;
  for (const control of controls()) {
    const value = kept[key(control)];
    if (value === undefined) continue;
    if (ticked(control)) control.checked = value;
    else control.value = value;
    const fold = control.closest("#hk-danger");
    if (fold) fold.open = true;
  }
  form.dispatchEvent(new Event("change"));
  if (given) keep();
  return true;
}

export function keep() {
  if (!named || !form.isConnected) return;
  const changed = controls().filter((control) => state(control) !== before[key(control)]);
  if (!changed.length) window.hearkenDrafts.drop(...named);
  else window.hearkenDrafts.keep(...named, Object.fromEntries(changed.map((control) => [key(control), state(control)])));
}

export function leave() {
  named = null;
}

export function drop(kind, id) {
  window.hearkenDrafts.drop(kind, id);
}
