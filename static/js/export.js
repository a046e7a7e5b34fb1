// Downloads of the export page: shows how many rows have come, and saves the file once it is whole.
(() => {
  const CR = 13;
  const LF = 10;

  // A row of a CSV ends in CR LF and no cell holds a CR; a row of JSON lines ends in LF.
  function count(bytes, mark) {
    let found = 0;
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) found += 1;
    return found;
  }

  function fill(text, values) {
    return text.replace(/\{(\w+)\}/g, (_, name) => values[name].toLocaleString());
  }

  function save(chunks, type, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(chunks, { type }));
    link.download = `hearken-${name}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  // Counting takes longer than the first rows: it is asked beside the download, which does not wait for it.
  async function countRows(address, body) {
    try {
      const answer = await fetch(`${address}/rows`, { method: "POST", body });
      return answer.ok ? (await answer.json()).rows : null;
    } catch {
      return null;
    }
  }

  async function download(form, address) {
    const bar = form.querySelector("#hk-export-bar");
    const said = form.querySelector("#hk-export-said");
    const name = address.split("/").pop();
    const csv = name.endsWith(".csv");
    bar.removeAttribute("value");
    bar.hidden = false;
    said.textContent = form.dataset.working;
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch(address, { method: "POST", body });
    if (!answer.ok) throw new Error(answer.status === 422 ? "refused" : "failed");
    let total = null;
    countRows(address, body).then((found) => (total = found));
    const chunks = [];
    let rows = csv ? -1 : 0;
    const reader = answer.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      chunks.push(part.value);
      rows += count(part.value, csv ? CR : LF);
      if (total) {
        bar.max = total;
        bar.value = Math.min(Math.max(rows, 0), total);
      }
      // A file of sums comes at its end, all at once.
      if (rows <= 0) continue;
      const text = total ? form.dataset.rowsOf : form.dataset.rows;
      said.textContent = fill(text, { rows, total: total ?? 0 });
    }
    save(chunks, answer.headers.get("content-type"), name);
    said.textContent = fill(form.dataset.done, { rows: Math.max(rows, 0) });
  }

  document.addEventListener("change", (event) => {
    const form = event.target.closest?.("#hk-export");
    if (form) form.elements.reason.required = form.elements.crisis.checked || form.elements.unconsented.checked;
  });

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.id !== "hk-export") return;
    event.preventDefault();
    if (form.dataset.busy) return;
    form.dataset.busy = "yes";
    try {
      await download(form, event.submitter?.formAction ?? form.action);
    } catch (error) {
      const refused = error.message === "refused";
      form.querySelector("#hk-export-said").textContent = refused ? form.dataset.refused : form.dataset.failed;
    } finally {
      delete form.dataset.busy;
      const bar = form.querySelector("#hk-export-bar");
      if (bar) bar.hidden = true;
    }
  });
})();
