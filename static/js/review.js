// The list of flags on the review page: asks for changes, patches what changed, and touches nothing else.
(() => {
  const ADDRESS = "/api/staff/flags";
  const PARTS = ["open", "mine", "unassigned", "closed"];
  const TICK_MS = 1000;
  const AWAY_MS = 10000;
  let t, root, list, state, said, sound, choose;
  let part = "open";
  const etags = {};
  let lists = { open: [], closed: [] };
  let me = null;
  let known = null;
  let answered = false;
  let untold = false;
  // How the flag on the screen is, as the server said last: { id, state }.
  let standing = null;
  let waiting = null;
  let pressed = false;
  let answeredAt = Date.now();
  let readFrom = 0;
  let shown = { key: "", at: 0 };
  let asking = false;
  let again = false;
  let chosen = null;
  let goTo = null;
  let lostFocus = false;
  const items = new Map();

  const fill = (key, values) => (t[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name]);

  function element(name, text, attributes = {}) {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  function length(ms) {
    const minutes = Math.floor(Math.abs(ms) / 60000);
    if (minutes >= 2880) return fill("age.days", { n: Math.floor(minutes / 1440) });
    if (minutes >= 120) return fill("age.hours", { n: Math.floor(minutes / 60) });
    return fill("age.minutes", { n: minutes });
  }

  function clock(flag) {
    if (flag.closed_at) return [fill("queue.closed_ago", { age: length(Date.now() - Date.parse(flag.closed_at)) }), ""];
    if (!flag.due_at) return [t["queue.answered"], ""];
    const left = Date.parse(flag.due_at) - Date.now();
    return left >= 0
      ? [fill("queue.left", { age: length(left) }), left < 300000 ? "soon" : ""]
      : [fill("queue.overdue", { age: length(left) }), "over"];
  }

  function tick() {
    for (const { flag, time } of items.values()) {
      const [words, mark] = clock(flag);
      if (time.textContent !== words) time.textContent = words;
      if (time.dataset.mark !== mark) time.dataset.mark = mark;
    }
    const away = Date.now() - answeredAt > AWAY_MS;
    const words = away ? fill("queue.away", { age: length(Date.now() - answeredAt) }) : t["queue.live"];
    if (state.textContent !== words) state.textContent = words;
    state.classList.toggle("hk-away", away);
    changedMeanwhile();
  }

  function draw(item, flag) {
    item.flag = flag;
    item.button.dataset.level = flag.level;
    item.level.textContent = t[`level.${flag.level}`];
    item.kind.textContent = t[`category.${flag.category}`];
    const facts = [
      fill("queue.waiting", { age: length(Date.now() - Date.parse(flag.opened_at)) }),
      fill("queue.hits", { n: flag.hits }),
      flag.assignee ? fill("queue.assigned", { name: flag.assignee }) : t["queue.nobody"],
    ];
    if (flag.closed_at && flag.outcome) facts.push(t[`outcome.${flag.outcome}`]);
    item.facts.textContent = facts.join(" · ");
    item.follow.hidden = !flag.follow_up;
  }

  function make(flag) {
    const button = element("button", null, { type: "button", "data-id": flag.id });
    const item = {
      line: element("li"),
      button,
      level: element("span", null, { class: "hk-level" }),
      kind: element("span", null, { class: "hk-kind" }),
      time: element("span", null, { class: "hk-clock" }),
      follow: element("span", t["queue.follow_up"], { class: "hk-follow" }),
      facts: element("span", null, { class: "hk-facts" }),
    };
    button.append(item.level, item.kind, item.time, item.follow, item.facts);
    button.addEventListener("click", () => open(flag.id));
    item.line.append(button);
    return item;
  }

  function open(id) {
    mark(id);
    goTo = id;
    window.hearkenPresses.choose(() => choose({ id }));
  }

  // Once the chosen flag is there, reading goes on at its heading; that is below the list on a phone.
  function arrive() {
    const notice = document.querySelector("#hk-notice:has(p)");
    if (lostFocus && !onScreen().flag && notice?.getClientRects().length) {
      lostFocus = false;
      notice.tabIndex = -1;
      notice.focus({ preventScroll: true });
    }
    const heading = goTo && document.querySelector(`#hk-case-facts [data-flag="${goTo}"] h2`);
    if (!heading || !heading.getClientRects().length) return;
    goTo = null;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "nearest" });
  }

  function mark(id) {
    chosen = id;
    for (const [key, { button }] of items) {
      if (key === id) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }

  const onScreen = () => document.querySelector("#hk-case-facts [data-flag]")?.dataset ?? {};

  // What stands on the screen as it is now is no news: whoever reads it has perhaps just opened it again.
  function news(flags) {
    if (!answered) return [];
    const { flag: id, clock } = onScreen();
    return flags.filter((flag) => flag.due_at && known.get(flag.id) !== flag.clock_from)
      .filter((flag) => flag.id !== id || flag.clock_from !== clock);
  }

  // What the reader does now may be what changed the list: that is known once it is on the screen.
  function tellNews() {
    if (!untold || window.hearkenPresses.busy()) return;
    untold = false;
    tell(news(lists.open));
    known = new Map([...known, ...lists.open.map((flag) => [flag.id, flag.clock_from])]);
    answered = true;
  }

  function tell(fresh) {
    if (!fresh.length) return;
    const first = fresh[0];
    said.textContent = fill("queue.new", {
      n: fresh.length,
      level: t[`level.${first.level}`],
      category: t[`category.${first.category}`],
    });
    if (sound.checked) chime();
  }

  function chime() {
    const audio = new AudioContext();
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    volume.gain.value = 0.1;
    tone.connect(volume).connect(audio.destination);
    tone.frequency.value = 660;
    tone.onended = () => audio.close();
    tone.start();
    tone.stop(audio.currentTime + 0.25);
  }

  // Between press and release the list holds still, or the click would land on another flag or on none.
  function patch(flags) {
    if (pressed) {
      waiting = flags;
      return;
    }
    waiting = null;
    const focused = document.activeElement;
    const wanted = new Set(flags.map((flag) => flag.id));
    for (const [id, item] of items) {
      if (wanted.has(id)) continue;
      item.line.remove();
      items.delete(id);
    }
    let place = list.firstElementChild;
    for (const flag of flags) {
      const item = items.get(flag.id) ?? make(flag);
      items.set(flag.id, item);
      draw(item, flag);
      if (item.line === place) place = place.nextElementSibling;
      else list.insertBefore(item.line, place);
    }
    if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
    mark(chosen);
    root.querySelector(".hk-none").hidden = flags.length > 0;
    tick();
  }

  // What a reviewer is reading is never replaced; that a colleague changed it is said beside it.
  function changedMeanwhile() {
    const facts = document.querySelector("#hk-case-facts [data-flag]");
    const hint = document.querySelector("#hk-changed");
    if (!facts || !hint) return;
    const key = `${facts.dataset.flag} ${facts.dataset.version}`;
    if (shown.key !== key) shown = { key, at: Date.now() };
    const flag = [...lists.open, ...lists.closed].find(({ id }) => id === facts.dataset.flag);
    const newer = flag && flag.version > Number(facts.dataset.version);
    const told = readFrom > shown.at && standing?.id === facts.dataset.flag ? standing.state : "";
    const words = "open" in facts.dataset && told === "closed" ? t["queue.gone"] : newer ? t["queue.changed"] : "";
    if (hint.textContent === words) return;
    hint.hidden = !words;
    hint.textContent = words;
  }

  // What a person has deleted leaves the screen at once, before the server's answer takes it off the page.
  function clearDeleted() {
    const place = document.querySelector("#hk-case-part");
    const gone = standing?.state === "deleted" && onScreen().flag === standing.id;
    if (gone && place.querySelector("#hk-case").contains(document.activeElement)) lostFocus = true;
    place.toggleAttribute("data-deleted", gone);
    if (gone && !window.hearkenPresses.busy()) window.hearkenPresses.choose(() => choose({ id: standing.id }));
  }

  function badge(flags) {
    const count = flags.filter((flag) => flag.due_at).length;
    const title = t["queue.title"];
    document.title = count ? `(${count}) ${title}` : title;
  }

  function visible() {
    if (part === "closed") return lists.closed;
    if (part === "mine") return lists.open.filter((flag) => flag.assignee === me);
    if (part === "unassigned") return lists.open.filter((flag) => !flag.assignee);
    return lists.open;
  }

  async function read(name) {
    const headers = etags[name] ? { "If-None-Match": etags[name] } : {};
    const { flag } = onScreen();
    const asked = new URLSearchParams(flag && name === "open" ? { part: name, shown: flag } : { part: name });
    const answer = await fetch(`${ADDRESS}?${asked}`, { headers, cache: "no-store" });
    if (answer.status === 304) return false;
    if (answer.status !== 200) throw new Error(answer.status);
    const found = await answer.json();
    me = found.me;
    lists[name] = found.flags;
    if (name === "open") standing = found.shown;
    etags[name] = answer.headers.get("etag");
    return true;
  }

  // Open flags are always asked for: a new one must be noticed whichever part is on the screen.
  async function ask() {
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    const from = Date.now();
    try {
      const changed = [await read("open"), part === "closed" && (await read("closed"))];
      answeredAt = Date.now();
      readFrom = from;
      if (changed[0]) {
        untold = true;
        badge(lists.open);
      }
      tellNews();
      clearDeleted();
      if (changed.some(Boolean)) patch(visible());
    } catch {
      // Without a connection the line below the list says how old it is.
    }
    asking = false;
    tick();
    if (again) {
      again = false;
      ask();
    }
  }

  function show(next) {
    part = next;
    patch(visible());
    ask();
  }

  function filters() {
    const group = element("fieldset", null, { class: "hk-parts" });
    group.append(element("legend", t["queue.show"]));
    for (const name of PARTS) {
      const label = element("label");
      const input = element("input", null, { type: "radio", name: "hk-part", value: name });
      input.checked = name === part;
      input.addEventListener("change", () => show(name));
      label.append(input, element("span", t[`queue.${name}`]));
      group.append(label);
    }
    return group;
  }

  function arrows(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const buttons = [...list.querySelectorAll("button")];
    const next = buttons[buttons.indexOf(document.activeElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  function release() {
    // The click comes after the release; only then may the list move.
    setTimeout(() => {
      pressed = false;
      if (waiting) patch(waiting);
    });
  }

  function build() {
    list = element("ol", null, { class: "hk-queue", "aria-label": t["queue.list"] });
    state = element("p", null, { class: "hk-state" });
    said = element("p", null, { class: "hk-said", role: "status", "aria-live": "polite" });
    const none = element("p", t["queue.none"], { class: "hk-none", hidden: "" });
    const label = element("label", null, { class: "hk-sound" });
    sound = element("input", null, { type: "checkbox" });
    label.append(sound, element("span", t["queue.sound"]));
    root.replaceChildren(filters(), said, list, none, state, label);
    list.addEventListener("pointerdown", () => (pressed = true));
    for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, release);
    list.addEventListener("keydown", arrows);
  }

  // The page's component says that it is there, and again when Gradio has made it anew. Scripts come in
  // any order: what was said before this one came lies in a list, and the words may still be on their way.
  function connect(call) {
    if (!window.hearkenStaffWords || !window.hearkenPresses) {
      setTimeout(connect, 20, call);
      return;
    }
    t = window.hearkenStaffWords();
    root = call.element.querySelector("#hk-queue");
    choose = call.choose;
    window.hearkenRefresh = () => {
      window.hearkenPresses.end();
      window.dispatchEvent(new Event("hearken-answered"));
      ask();
    };
    build();
    items.clear();
    if (known === null) begin(call.everyMs);
    else patch(visible());
  }

  function begin(everyMs) {
    known = new Map();
    // The page's own first answer shows no flag: a choice before it would be undone by it.
    if (!window.hearkenLoaded) window.hearkenPresses.begin();
    ask();
    const timers = [setInterval(ask, everyMs), setInterval(tick, TICK_MS)];
    window.addEventListener("hearken-ended", () => timers.forEach(clearInterval));
    const place = document.querySelector("#hk-case-part");
    new MutationObserver(arrive).observe(place, { childList: true, subtree: true, attributes: true });
    const linked = new URLSearchParams(window.location.search).get("flag");
    if (linked) open(linked);
  }

  const early = window.hearkenQueue ?? [];
  window.hearkenQueue = { push: connect };
  early.forEach(connect);
})();
