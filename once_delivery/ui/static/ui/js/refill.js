// What was typed into a form comes back when the session had ended in the middle of it. When a form is sent, its fields
// are kept in this tab alone, under the page, the form and the person; never passwords, files, codes or hidden fields.
// The page that says so (data-refill in templates/ui/notes.html) puts them back, for the same person; any other page
// means that the form was answered, and forgets them. Without this file it is typed again.
{
  const KEY = "typed ";
  const KEPT_MS = 12 * 3600 * 1000;
  const person = document.body.dataset.person;

  const kept = () => Object.keys(sessionStorage).filter((key) => key.startsWith(KEY));
  const forget = () => kept().forEach((key) => sessionStorage.removeItem(key));

  const isKept = (field) =>
    field.name &&
    field.matches("input, textarea, select") &&
    !["password", "file", "hidden", "submit", "button", "image", "reset"].includes(field.type) &&
    !/one-time-code|password/.test(field.autocomplete);
  const fieldsOf = (form) => [...form.elements].filter(isKept);
  const ticks = (field) => field.type === "checkbox" || field.type === "radio";
  const selects = (field) => field.type === "select-multiple";

  const valueOf = (field) => {
    if (ticks(field)) return field.checked;
    return selects(field) ? [...field.selectedOptions].map((one) => one.value) : field.value;
  };
  // a field is known by its name and its place among those of that name
  const named = (form) => {
    const seen = {};
    return fieldsOf(form).map((field) => {
      const name = ticks(field) ? `${field.name}=${field.value}` : field.name;
      seen[name] = (seen[name] ?? 0) + 1;
      return [`${name} ${seen[name]}`, field];
    });
  };

  const shapeOf = (form) => {
    const goal = new URL(form.getAttribute("action") || location.href, location.href).pathname;
    return `${goal} ${[...new Set(fieldsOf(form).map((field) => field.name))].sort()}`;
  };
  const keyOf = (form) => {
    const shape = shapeOf(form);
    const alike = [...document.forms].filter((one) => shapeOf(one) === shape);
    return `${KEY}${person} ${location.pathname} ${shape} ${alike.indexOf(form)}`;
  };

  const keep = (form) => {
    const values = Object.fromEntries(named(form).map(([name, field]) => [name, valueOf(field)]));
    if (Object.keys(values).length) sessionStorage.setItem(keyOf(form), JSON.stringify({ at: Date.now(), values }));
  };

  const put = (field, value) => {
    if (JSON.stringify(valueOf(field)) === JSON.stringify(value)) return false;
    if (ticks(field)) field.checked = value;
    else if (selects(field)) for (const one of field.options) one.selected = value.includes(one.value);
    else field.value = value;
    for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
    return true;
  };

  const putBack = (form) => {
    const { at, values } = JSON.parse(sessionStorage.getItem(keyOf(form)) ?? "{}");
    if (!values || Date.now() - at > KEPT_MS) return false;
    return named(form).map(([name, field]) => name in values && put(field, values[name])).some(Boolean);
  };

  const begin = () => {
    const said = document.querySelector("[data-refill]");
    if (said && [...document.forms].map(putBack).some(Boolean)) said.hidden = false;
    // a page that refused a form keeps it: it may be shown anew, in another language say
    if (said || !new URLSearchParams(location.search).has("answer")) forget();
  };

  try {
    begin();
  } catch {
    // storage is forbidden
  }
  document.addEventListener("submit", (event) => {
    const form = event.target;
    try {
      if (form.hasAttribute("data-forgets")) forget();
      else if (form.getAttribute("method") === "post" && (!event.defaultPrevented || form.hasAttribute("hx-post"))) keep(form);
    } catch {
      // storage is forbidden or full
    }
  });
}
