// The review page asks the server one thing at a time. What is pressed meanwhile waits for the answer:
// a press on a flag always comes to that flag, and a flag that was chosen is the one that is shown in the end.
(() => {
  const ACTIONS = "#hk-take, #hk-assign-to, #hk-reveal, #hk-missed-save, #hk-save-note, #hk-save-outcome, #hk-reopen";
  // After so long nothing will come: the page must not stay deaf when an answer was lost.
  const ANSWER_MS = 15000;
  let timer = 0;
  let waiting = null;

  const shown = () => document.querySelector("#hk-case-facts [data-flag]")?.dataset.flag ?? null;

  function begin() {
    clearTimeout(timer);
    timer = setTimeout(end, ANSWER_MS);
  }

  function end() {
    clearTimeout(timer);
    timer = 0;
    const next = waiting;
    waiting = null;
    next?.work();
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
    const button = event.target instanceof Element && event.target.closest(ACTIONS);
    if (!button) return;
    if (!timer) {
      begin();
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    if (waiting?.choice) return;
    const flag = shown();
    waiting = { work: () => flag === shown() && button.isConnected && button.click() };
  }

  document.addEventListener("click", pressed, true);
  window.hearkenPresses = { begin, end, choose };
})();
