// Texts of both languages, and the elements that carry them.
const all = JSON.parse(document.getElementById("hk-texts").textContent);
const limits = JSON.parse(document.getElementById("hk-limits").textContent);
const LANGUAGE_TAGS = { en: "en", zh: "zh-Hans" };
const YEAR_S = 31536000;

const html = document.documentElement;

let current = html.dataset.locale;

export const maxChars = limits.maxChars;
export const keepsMemory = limits.memory;

export function locale() {
  return current;
}

export function t(key, values = {}) {
  const text = all[current][key] ?? "";
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

export function has(key) {
  return key in all[current];
}

export function below(prefix) {
  const start = `${prefix}.`;
  return Object.entries(all[current])
    .filter(([key]) => key.startsWith(start))
    .map(([key, text]) => [key.slice(start.length), text]);
}

export function fill(root) {
  for (const element of root.querySelectorAll("[data-text]")) element.textContent = t(element.dataset.text);
  for (const element of root.querySelectorAll("[data-label]")) element.setAttribute("aria-label", t(element.dataset.label));
  for (const element of root.querySelectorAll("[data-title]")) element.title = t(element.dataset.title);
  for (const element of root.querySelectorAll("[data-placeholder]")) element.placeholder = t(element.dataset.placeholder);
  for (const element of root.querySelectorAll("[data-href]")) element.href = limits.exitUrl ?? t(element.dataset.href);
}

// Gradio writes the browser's language here, whatever language the page is in.
function tellLanguage() {
  if (html.lang !== LANGUAGE_TAGS[current]) html.lang = LANGUAGE_TAGS[current];
}

new MutationObserver(tellLanguage).observe(html, { attributeFilter: ["lang"] });
tellLanguage();

export function setLocale(next) {
  if (!(next in all)) return;
  current = next;
  html.dataset.locale = next;
  tellLanguage();
  document.title = t("page.title");
  document.cookie = `hearken_locale=${next}; path=/; max-age=${YEAR_S}; samesite=lax`;
  fill(document);
}

// The page's language as the browser's region writes days and hours; it may be told after others.
export function dateLocale() {
  const own = navigator.languages.find((tag) => tag.split("-")[0] === current);
  const region = own?.match(/-([A-Z]{2})(?![A-Za-z])/)?.[1];
  return region ? `${LANGUAGE_TAGS[current]}-${region}` : LANGUAGE_TAGS[current];
}

export function number(value) {
  return value.toLocaleString(html.lang);
}
