// What Gradio's pages answer is read out: their own notice is no live region.
(() => {
  const region = document.createElement("p");
  region.className = "hk-read-out";
  region.id = "hk-read-out";
  region.setAttribute("role", "status");

  function tell() {
    const notice = document.querySelector("#hk-notice:not([role])");
    if (!notice || !document.body.contains(region)) return;
    const words = notice.textContent.trim();
    if (region.textContent !== words) region.textContent = words;
  }

  // The same answer to a second press is said again.
  function forget() {
    region.textContent = "";
    setTimeout(tell, 50);
  }

  function begin() {
    document.body.append(region);
    new MutationObserver(tell).observe(document.body, { childList: true, subtree: true, characterData: true });
    window.addEventListener("hearken-answered", forget);
  }

  if (document.body) begin();
  else document.addEventListener("DOMContentLoaded", begin);
})();
