// The button says which object is adopted: the chosen candidate, or the ID that was typed instead. Without this file
// it says "the chosen object", and the same is sent.
{
  const button = document.querySelector("[data-pick-button]");
  const other = document.querySelector("[data-pick-other]");
  if (button) {
    const plain = button.textContent;
    const tell = () => {
      const id = other?.value.trim() || document.querySelector("[data-pick]:checked")?.dataset.pick || "";
      const short = id.length > 24 ? `${id.slice(0, 10)}…${id.slice(-6)}` : id;
      button.textContent = id ? button.dataset.pickButton.replace("{id}", short) : plain;
    };
    for (const radio of document.querySelectorAll("[data-pick]"))
      radio.addEventListener("change", () => {
        if (other) other.value = ""; // the last choice counts
        tell();
      });
    other?.addEventListener("input", tell);
    addEventListener("pageshow", tell);
    tell();
  }
}
