// Pages for staff: when the login has ended, nothing of a conversation stays on the screen.
(() => {
  const ask = window.fetch.bind(window);
  const known = JSON.parse(document.getElementById("hk-staff-texts").textContent);

  function words() {
    const spoken = navigator.languages.map((tag) => tag.toLowerCase().split("-")[0]);
    return known[spoken.find((language) => known[language]) ?? "en"];
  }

  window.hearkenStaffWords = words;

  function element(name, text, attributes = {}) {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  let over = false;

  // What was typed is kept to copy: it can't be saved any more, and must not be lost without a word.
  // Once only: whatever is asked afterwards, too, is answered that nobody is signed in.
  function ended() {
    if (over) return;
    over = true;
    window.dispatchEvent(new Event("hearken-ended"));
    const t = words();
    const typed = [...document.querySelectorAll("textarea:not([readonly])")]
      .filter((box) => box.value !== box.defaultValue)
      .map((box) => box.value.trim())
      .filter(Boolean)
      .join("\n\n");
    const main = element("main", null, { "aria-labelledby": "hk-ended", tabindex: "-1" });
    main.append(element("h1", t["error.ended_title"], { id: "hk-ended" }), element("p", t["error.ended_text"]));
    if (window.hearkenDrafts.any()) main.append(element("p", t["error.ended_draft"], { id: "hk-ended-draft" }));
    if (typed) {
      const kept = element("textarea", null, { id: "hk-kept", rows: "6", readonly: "" });
      kept.value = typed;
      main.append(element("label", t["error.ended_kept"], { for: "hk-kept" }), kept);
    }
    const page = window.location.pathname.replace(/\/+$/, "");
    const link = element("a", t["login.submit"], { href: `/login?next=${page}`, class: "hk-sign-in" });
    const paragraph = element("p");
    paragraph.append(link);
    main.append(paragraph);
    document.body.replaceChildren(main);
    document.body.className = "hk-plain";
    main.focus();
  }

  // The bar is written in every language and for every role; the style sheet shows this reader's part.
  const page = document.documentElement.dataset;
  const spoken = navigator.languages.map((tag) => tag.toLowerCase().split("-")[0]);
  page.hkLanguage = spoken.find((language) => known[language]) ?? "en";

  // Gradio sets the title in English when it has drawn the page.
  const address = window.location.pathname.split("/")[1];
  const title = (language) => `${known[language][`staff.${address}`]} · Hearken`;
  const speak = () => {
    if (document.title === title("en")) document.title = title(page.hkLanguage);
  };
  if (page.hkLanguage !== "en") new MutationObserver(speak).observe(document.head, { childList: true, subtree: true, characterData: true });
  speak();

  // Beside what Gradio draws, so that it stays when Gradio draws anew.
  function notice({ text, items }) {
    const aside = element("aside", null, { id: "hk-notices", "aria-label": known[page.hkLanguage]["staff.notices"] });
    const fold = element("details");
    const list = element("ul");
    list.append(...items.map((item) => element("li", item)));
    fold.append(element("summary", text), list);
    aside.append(fold);
    document.body.prepend(aside);
  }

  ask("/api/staff/me")
    .then((answer) => (answer.ok ? answer.json() : {}))
    .then((me) => {
      if (me.role) page.hkRole = me.role;
      if (me.notice) notice(me.notice);
      window.hearkenDrafts.open(me.name ?? null);
    })
    // Without an answer, only the links that everybody may follow are shown, and no draft is kept.
    .catch(() => window.hearkenDrafts.open(null));

  window.fetch = async (...request) => {
    const answer = await ask(...request);
    if (answer.status === 401 && new URL(answer.url).origin === window.location.origin) ended();
    return answer;
  };
})();
