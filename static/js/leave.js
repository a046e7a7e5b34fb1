// The quick exit. Loaded first and by itself, so that it works whatever else the page is doing.
(() => {
  "use strict";
  const TWICE_WITHIN_MS = 1000;
  let lastEscape = -Infinity;

  function leave() {
    try {
      window.sessionStorage.clear();
    } catch {
      // Nothing is kept in a browser that allows no storage.
    }
    document.title = "";
    document.documentElement.hidden = true;
    const link = document.getElementById("hk-leave");
    // replace() leaves no way back to this page in the tab's history.
    window.location.replace(link ? link.href : "about:blank");
  }

  // By its place too: while a dialog is open the link itself can't be hit, but it is in sight.
  function hits(event) {
    const link = document.getElementById("hk-leave");
    if (!link) return false;
    if (event.target instanceof Element && event.target.closest("#hk-leave, [data-leave]")) return true;
    const { left, right, top, bottom } = link.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    return (x !== 0 || y !== 0) && x >= left && x <= right && y >= top && y <= bottom;
  }

  document.addEventListener("click", (event) => {
    if (!hits(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    leave();
  }, true);

  // What this press closes: a dialog, the drawer, a panel or a form that the keyboard is in.
  function closes(event) {
    if (document.querySelector("dialog[open], .hk-drawer-open")) return true;
    return event.target instanceof Element && event.target.closest(".hk-naming, .hk-fact-form, #hk-memory") !== null;
  }

  document.addEventListener("keydown", (event) => {
    // A press that closes something is not the first of the two.
    if (event.key !== "Escape" || (closes(event) && !event.repeat)) {
      lastEscape = -Infinity;
      return;
    }
    if (event.repeat || event.isComposing) return;
    if (event.timeStamp - lastEscape < TWICE_WITHIN_MS) leave();
    lastEscape = event.timeStamp;
  }, true);

  // A page that the browser kept in memory is not shown again.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload();
  });
})();
