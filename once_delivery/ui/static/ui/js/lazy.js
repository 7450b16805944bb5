// A part of a page that fetches the rest of itself says so when that fails, and is asked for again by a button
// (templates/ui/lazy_failed.html). Without this file nothing is fetched either.
{
  const tell = (part, failed) => {
    for (const one of part.querySelectorAll("[data-lazy-failed]")) one.hidden = !failed;
    for (const one of part.querySelectorAll("[data-lazy-waits]")) one.hidden = failed;
  };

  for (const event of ["htmx:responseError", "htmx:sendError", "htmx:timeout"])
    document.addEventListener(event, ({ target }) => {
      const part = target.closest("[data-lazy]");
      if (part) tell(part, true);
    });

  document.addEventListener("click", ({ target }) => {
    const part = target.closest("[data-lazy-again]")?.closest("[data-lazy]");
    if (!part) return;
    tell(part, false);
    htmx.trigger(part, "again");
  });
}
