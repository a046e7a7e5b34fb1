// What staff have typed or marked and not yet saved: kept in this tab, for this account only, until it is
// saved, its conversation is gone, or they sign out themselves.
(() => {
  const PREFIX = "hearken-draft ";
  let owner = null;
  let opened;
  const ready = new Promise((resolve) => { opened = resolve; });

  const name = (kind, id) => `${PREFIX}${kind} ${id}`;

  function entries() {
    try {
      return Object.entries({ ...sessionStorage })
        .filter(([key]) => key.startsWith(PREFIX))
        .map(([key, text]) => ({ key, ...JSON.parse(text) }));
    } catch {
      return []; // a browser that stores nothing keeps no draft
    }
  }

  // Whose drafts they are is known once the server has said who is signed in; those of others go.
  function open(account) {
    owner = account;
    if (owner) entries().forEach((one) => one.owner !== owner && sessionStorage.removeItem(one.key));
    opened();
  }

  function keep(kind, id, data) {
    if (!owner) return;
    try {
      sessionStorage.setItem(name(kind, id), JSON.stringify({ owner, kind, id, at: Date.now(), data }));
    } catch {
      // Then it is only on the screen.
    }
  }

  const mine = () => (owner ? entries().filter((one) => one.owner === owner) : []);

  function read(kind, id) {
    return mine().find((one) => one.key === name(kind, id))?.data ?? null;
  }

  function newest(kinds) {
    return mine().filter(({ kind }) => kinds.includes(kind)).sort((a, b) => b.at - a.at)[0] ?? null;
  }

  function drop(kind, id) {
    try {
      sessionStorage.removeItem(name(kind, id));
    } catch {
      // There is none.
    }
  }

  document.addEventListener("submit", ({ target }) => {
    if (target.getAttribute("action")?.startsWith("/logout")) entries().forEach(({ key }) => sessionStorage.removeItem(key));
  });

  window.hearkenDrafts = { ready, open, keep, read, newest, drop, any: () => mine().length > 0 };
})();
