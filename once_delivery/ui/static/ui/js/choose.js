// Choosing many in a form: a box for all on the page, and how many are chosen. Without this file each is chosen by itself.
for (const form of document.querySelectorAll("[data-choosing]")) {
  const boxes = [...form.querySelectorAll("[data-pick]")];
  const all = form.querySelector("[data-choose-all]");
  const says = form.querySelector("[data-chosen]");
  if (!boxes.length || !all || !says) continue;
  const box = all.querySelector("input");
  // what stands out on this page is chosen by hand or not at all
  const usual = boxes.filter((one) => !one.hasAttribute("data-not-by-all"));
  const tell = () => {
    const chosen = boxes.filter((one) => one.checked).length;
    says.textContent = chosen ? `${says.dataset.some} ${chosen}` : says.dataset.none;
    box.checked = usual.length > 0 && usual.every((one) => one.checked);
    box.indeterminate = !box.checked && chosen > 0;
  };
  box.addEventListener("change", () => {
    for (const one of usual) one.checked = box.checked;
    tell();
  });
  form.addEventListener("change", tell);
  all.hidden = false;
  tell();
}
