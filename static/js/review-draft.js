// A note that is not saved yet: kept as a draft of this tab by its flag, put back after a reload, and shown to
// copy when its conversation was deleted.
(() => {
  const KIND = "note";
  const LOOK_MS = 25;
  const LOOKS = 20;
  // By flag; also for a browser that stores nothing.
  const typed = new Map();
  let shown = null;
  let saving = null;

  const box = () => document.querySelector("#hk-note textarea");
  const flag = () => document.querySelector("#hk-case-facts [data-flag]")?.dataset.flag ?? null;

  function keep({ target }) {
    const id = flag();
    if (!id || target !== box()) return;
    if (target.value.trim()) {
      typed.set(id, target.value);
      window.hearkenDrafts.keep(KIND, id, target.value);
    } else drop(id);
  }

  function drop(id) {
    typed.delete(id);
    window.hearkenDrafts.drop(KIND, id);
  }

  const draft = (id) => typed.get(id) ?? window.hearkenDrafts.read(KIND, id);

  // The answer fills the box a moment after the facts.
  function putBack(id, looks = LOOKS) {
    if (flag() !== id || !looks) return;
    if (!box() || looks > LOOKS - 2) {
      setTimeout(putBack, LOOK_MS, id, looks - 1);
      return;
    }
    if (box().value || !draft(id)) return;
    box().value = draft(id);
    box().dispatchEvent(new Event("input", { bubbles: true }));
  }

  function toCopy(id) {
    const text = draft(id);
    drop(id);
    if (!text) return;
    const place = document.createElement("div");
    place.id = "hk-kept-note";
    const label = document.createElement("label");
    label.textContent = window.hearkenStaffWords()["review.kept_note"];
    const area = document.createElement("textarea");
    area.readOnly = true;
    area.rows = 5;
    area.value = [text, document.querySelector("#hk-kept-note textarea")?.value].filter(Boolean).join("\n\n");
    label.append(area);
    place.append(label);
    document.querySelector("#hk-kept-note")?.remove();
    document.querySelector("#hk-notice").after(place);
  }

  function look() {
    const gone = document.querySelector("#hk-case-facts [data-gone]")?.dataset.gone;
    if (gone) toCopy(gone);
    if (flag() === shown) return;
    shown = flag();
    if (shown) window.hearkenDrafts.ready.then(() => putBack(shown));
  }

  // A note that was saved leaves an empty box; one that was not stays in it.
  function saved(id, looks = LOOKS) {
    if (flag() !== id || !looks) return;
    if (box()?.value) setTimeout(saved, LOOK_MS, id, looks - 1);
    else drop(id);
  }

  document.addEventListener("input", keep);
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("#hk-save-note")) saving = flag();
  });
  window.addEventListener("hearken-answered", () => {
    if (saving) saved(saving);
    saving = null;
  });
  new MutationObserver(look).observe(document.documentElement, { childList: true, subtree: true });
})();
