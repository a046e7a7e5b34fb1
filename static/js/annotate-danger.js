// The form by which a conversation is flagged for review. Within it keys mean what they mean everywhere.
const form = () => document.getElementById("hk-danger");

export function open() {
  if (!form()) return;
  form().open = true;
  form().querySelector("summary").focus();
  form().scrollIntoView({ block: "nearest" });
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
