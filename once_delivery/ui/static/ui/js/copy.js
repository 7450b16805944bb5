// Copies an ID with one click. Without this file the ID can still be selected: it is whole in the page.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const word = button.querySelector("[data-word]");
  const before = word.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    word.textContent = button.dataset.done;
  } catch {
    const range = document.createRange();
    range.selectNodeContents(button.previousElementSibling);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    return;
  }
  setTimeout(() => {
    word.textContent = before;
  }, 1500);
});

const shown = (root) => {
  for (const button of root.querySelectorAll("[data-copy][hidden]")) button.hidden = false;
};
shown(document);
document.addEventListener("htmx:afterSwap", (event) => shown(event.detail.elt ?? document));
