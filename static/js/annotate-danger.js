// The form by which a conversation is flagged for review. Within it keys mean what they mean everywhere.
const form = () => document.getElementById("hk-danger");

export function open() {
  if (!form()) return;
  form().open = true;
  form().querySelector("summary").focus();
  form().scrollIntoView({ block: "nearest" });
}

// What is missing is said beside the button, marked, and focused: nobody may believe that the flag was sent.
export function refuse({ notice, missing }) {
  form().querySelector("#hk-danger-said").textContent = notice;
  const fields = missing.map((name) => document.getElementById(`hk-danger-${name}`));
  for (const field of form().querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  for (const field of fields) field.setAttribute("aria-invalid", "true");
  const first = fields[0] ?? form().querySelector("button");
  (first.querySelector?.("input") ?? first).focus();
}

export function read() {
  const one = (name) => form().querySelector(`input[name="danger-${name}"]:checked`)?.value ?? null;
  return {
    danger: one("message"),
    level: one("level"),
    category: one("category"),
    reason: form().querySelector("textarea").value,
  };
}

export function wire(flag) {
  if (!form()) return;
  form().querySelector("button").addEventListener("click", flag);
  form().addEventListener("input", ({ target }) => {
    target.closest("[aria-invalid]")?.removeAttribute("aria-invalid");
  });
  form().addEventListener("keydown", (event) => {
    if (!form().open) return;
    // Else a letter of the page, or Enter on a choice, would rate the reply.
    event.stopPropagation();
    if (event.key === "Escape") {
      form().open = false;
      form().querySelector("summary").focus();
    }
    if (event.key !== "Enter" || event.repeat || event.isComposing) return;
    const sends = event.target.matches("input") || event.ctrlKey || event.metaKey;
    if (!sends) return;
    event.preventDefault();
    flag();
  });
}
