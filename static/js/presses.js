// The review page asks the server one thing at a time. What is pressed meanwhile waits for the answer:
// a press on a flag always comes to that flag, and a flag that was chosen is the one that is shown in the end.
(() => {
  const ACTIONS = "#hk-take, #hk-assign-to, #hk-reveal, #hk-missed-save, #hk-save-note, #hk-save-outcome, #hk-reopen";
  // After so long nothing will come: the page must not stay deaf when an answer was lost.
  const ANSWER_MS = 15000;
  let timer = 0;
  const LOOK_MS = 25;
  const LOOKS = 20;
  let waiting = null;
  let button = null;

  const shown = () => document.querySelector("#hk-case-facts [data-flag]")?.dataset.flag ?? null;

  function begin() {
    clearTimeout(timer);
    timer = setTimeout(end, ANSWER_MS);
  }

  // Where reading goes on when an answer took the button away that had the focus.
  function next() {
    const heading = button.id === "hk-reveal" && document.querySelector("#hk-told :is(h1, h2)");
    return heading || document.querySelector("#hk-notice:has(p)");
  }

  function land(looks = LOOKS) {
    const there = button?.getClientRects().length && button.isConnected;
    const moved = ![document.body, button].includes(document.activeElement);
    if (!button || moved || !looks) {
      button = null;
    } else if (there || !next()?.getClientRects().length) {
      setTimeout(land, LOOK_MS, looks - 1);
    } else {
      next().tabIndex = -1;
      next().focus({ preventScroll: button.id !== "hk-reveal" });
      button = null;
    }
  }

  function end() {
    clearTimeout(timer);
    timer = 0;
    land();
    const held = waiting;
    waiting = null;
    held?.work();
  }

  // A flag of the list; of several the last one counts.
  function choose(work) {
    if (timer) waiting = { choice: true, work: () => choose(work) };
    else {
      begin();
      work();
    }
  }

  // A press of a button belongs to the flag that is on the screen now, or to none.
  function pressed(event) {
    const target = event.target instanceof Element && event.target.closest(ACTIONS);
    if (!target) return;
    if (!timer) {
      button = target;
      begin();
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    if (waiting?.choice) return;
    const flag = shown();
    waiting = { work: () => flag === shown() && target.isConnected && target.click() };
  }

  document.addEventListener("click", pressed, true);
  window.hearkenPresses = { begin, end, choose, busy: () => timer !== 0 };
})();
