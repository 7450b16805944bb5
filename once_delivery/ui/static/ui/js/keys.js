// Keys for a page. What a key does is written in the page itself:
//   data-key="m"       this element has the key: a link is followed, a choice is made, a fold is opened, a field or
//                      button is focused. No key ever presses a button that sends something.
//   data-rows          j and k walk through the [data-row] elements inside; Enter follows their link as ever
//   data-row-key="a"   inside a row: has the key while the row has the focus
//   <dialog data-keys> the sheet of keys (templates/ui/keys.html); ? opens it, and one can turn the keys off there
// Without this file everything is reached as on any page.
{
  const OFF = "keys-off";
  const sheet = document.querySelector("dialog[data-keys]");

  const off = () => {
    try {
      return localStorage.getItem(OFF) === "1";
    } catch {
      return false; // storage is forbidden: keys stay on
    }
  };

  const shown = (element) => element.getClientRects().length > 0;

  const writes = (element) =>
    element.closest("textarea, select, [contenteditable]") ||
    (element.matches("input") && !["radio", "checkbox", "submit", "button"].includes(element.type));

  const first = (root) => root.querySelector("input:not([type=hidden]), select, textarea, button");

  // what is seen already, the bar at the bottom say, must not carry the reader away from the text
  const focus = (element) => {
    const place = element.getBoundingClientRect();
    element.focus({ preventScroll: place.top >= 0 && place.bottom <= innerHeight });
  };

  const use = (element) => {
    if (element.matches("a")) element.click();
    else if (element.matches("input[type=radio], input[type=checkbox]")) {
      element.click();
      focus(document.getElementById(element.dataset.keyGoal ?? "") ?? element);
    } else if (element.matches("summary")) {
      element.parentElement.open = true;
      focus(first(element.parentElement) ?? element);
    } else focus(element);
  };

  const step = (by) => {
    const rows = [...document.querySelectorAll("[data-rows] [data-row]")].filter(shown);
    if (!rows.length) return false;
    const here = rows.findIndex((row) => row.contains(document.activeElement));
    const next = rows[here < 0 ? (by > 0 ? 0 : rows.length - 1) : here + by];
    if (next) {
      next.querySelector("[data-row-link]")?.focus();
      next.scrollIntoView({ block: "nearest" });
    }
    return true;
  };

  const withKey = (root, name, key) =>
    [...root.querySelectorAll(`[data-${name}]`)].find((one) => one.dataset[name.replace(/-(.)/g, (_, c) => c.toUpperCase())] === key);

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key.length !== 1 || writes(event.target) || sheet?.open || off()) return;
    const key = event.key.toLowerCase();
    if (key === "?" && sheet) sheet.showModal();
    else {
      const row = document.activeElement?.closest("[data-row]");
      const element = (row && withKey(row, "row-key", key)) ?? withKey(document, "key", key);
      if (element) use(element);
      else if (!((key === "j" && step(1)) || (key === "k" && step(-1)))) return;
    }
    event.preventDefault();
  });

  for (const opener of document.querySelectorAll("[data-keys-open]")) {
    opener.hidden = false;
    opener.addEventListener("click", () => sheet?.showModal());
  }

  const toggle = sheet?.querySelector("[data-keys-off]");
  if (toggle) {
    toggle.checked = off();
    toggle.addEventListener("change", () => {
      try {
        localStorage.setItem(OFF, toggle.checked ? "1" : "0");
      } catch {
        toggle.checked = false;
      }
    });
  }
}
