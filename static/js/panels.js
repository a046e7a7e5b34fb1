// Drawer, dialogs and settings.
import { has, t } from "./texts.js";
import { toast } from "./announce.js";
import { isAnswering } from "./channel.js";
import { call, page } from "./connection.js";
import { know, wire as wireConsent } from "./consent.js";
import * as help from "./help.js";
import { forget } from "./outbox.js";
import { tell } from "./tabs.js";

const element = (id) => document.getElementById(id);
const SAVED_MS = 60000;
const narrow = window.matchMedia("(max-width: 59.99rem)");

// What is said fits what was tried: ``doing`` names it where the server knows no better reason, or was not reached.
export function problem(error, doing) {
  const known = error.code && error.code !== "internal";
  const words = t(`errors.${known ? error.code : doing}`);
  toast(isAnswering() ? words : t("errors.no_connection", { problem: words }), { error: true });
}

export function setDrawer(open) {
  const nav = element("hk-nav");
  if (!nav) return;
  const shut = narrow.matches && !open;
  nav.inert = shut;
  document.documentElement.classList.toggle("hk-drawer-open", narrow.matches && open);
  element("hk-menu").setAttribute("aria-expanded", String(!shut));
  if (narrow.matches && open) element("hk-new").focus();
}

export function confirm(kind) {
  const dialog = element("hk-confirm-dialog");
  const key = `confirm.yes_${kind}`;
  dialog.querySelector('[data-answer="yes"]').textContent = t(has(key) ? key : "confirm.yes_delete");
  element("hk-confirm-title").textContent = t(`confirm.${kind}_title`);
  element("hk-confirm-text").textContent = t(`confirm.${kind}_text`);
  dialog.returnValue = "no";
  dialog.showModal();
  dialog.querySelector('[data-answer="no"]').focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

export async function openHelp() {
  help.draw();
  element("hk-help-dialog").showModal();
  if (!help.isOwn()) return;
  const { country } = page;
  try {
    const answer = await call("help", { country });
    if (page.country === country) help.know(answer.help);
  } catch {
    // What is shown came with the page and is as good.
  }
}

export function openSettings() {
  element("hk-delete-one").disabled = page.conversation === null;
  // Of a person who has written nothing, nothing is stored: no consent either.
  element("hk-consent").disabled = !page.known;
  element("hk-delete-all").disabled = !page.known;
  element("hk-download").disabled = !page.known;
  element("hk-download-read").disabled = !page.known;
  element("hk-settings-dialog").showModal();
}

// Fetched first, so that a failure is told on the page instead of ending in a broken file.
async function download(path, name) {
  try {
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(answer.status);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = name;
    link.click();
    // The browser reads it after the click, on a busy machine a good while after.
    setTimeout(() => URL.revokeObjectURL(link.href), SAVED_MS);
  } catch (error) {
    problem(error, "download");
  }
}

async function remove(kind, action, show) {
  if (!(await confirm(kind))) return;
  try {
    const { view } = await call(action);
    element("hk-settings-dialog").close();
    forget();
    tell();
    if (action === "delete_all") {
      page.known = false;
      know({ ask: true, consent: false, at: null });
    }
    show(view);
    toast(t(action === "delete" ? "confirm.deleted_one" : "confirm.deleted_all"));
  } catch (error) {
    problem(error, "delete");
  }
}

export function wire({ show }) {
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
      const answer = event.target.closest("[data-answer]");
      if (answer) dialog.close(answer.dataset.answer);
    });
  }
  element("hk-help").addEventListener("click", openHelp);
  element("hk-menu").addEventListener("click", () => {
    setDrawer(!document.documentElement.classList.contains("hk-drawer-open"));
  });
  document.addEventListener("click", (event) => {
    const open = document.documentElement.classList.contains("hk-drawer-open");
    // Its path as it was when it was clicked: what it did may have taken its target off the page.
    const inside = event.composedPath().some((node) => ["hk-nav", "hk-menu"].includes(node.id));
    if (open && !inside) setDrawer(false);
  });
  narrow.addEventListener("change", () => setDrawer(false));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.documentElement.classList.contains("hk-drawer-open")) {
      setDrawer(false);
      element("hk-menu").focus();
    }
  });
  element("hk-download").addEventListener("click", () => download("/api/me/export", "hearken-my-data.json"));
  element("hk-download-read").addEventListener("click", () => download("/api/me/conversations.html", "hearken-my-conversations.html"));
  element("hk-delete-one").addEventListener("click", () => remove("delete_one", "delete", show));
  element("hk-delete-all").addEventListener("click", () => remove("delete_all", "delete_all", show));
  wireConsent();
}
