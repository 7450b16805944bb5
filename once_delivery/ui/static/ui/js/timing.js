// Measures how long a person works on a case: from when its page is opened, until it is left or paused. The page says
// every minute that it is still there. Without this file the two buttons start and pause.
const form = document.querySelector("form[data-timing]");
if (form) {
  const BEAT_MS = 60_000;
  const clock = form.querySelector("[data-clock]");
  let seconds = Number(form.dataset.seconds);
  let since = 0; // performance.now() when the shown time was right; 0 while nothing runs
  let paused = false; // by the person, not by leaving the page

  const show = () => {
    const whole = Math.floor(seconds + (since ? (performance.now() - since) / 1000 : 0));
    const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    const two = (number) => String(number).padStart(2, "0");
    clock.textContent = hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
  };

  const apply = (running, total) => {
    seconds = total;
    since = running ? performance.now() : 0;
    for (const one of form.querySelectorAll("[data-running-word], [data-pause]")) one.hidden = !running;
    for (const one of form.querySelectorAll("[data-paused-word], [data-start]")) one.hidden = running;
    show();
  };

  const send = async (what) => {
    const body = new FormData(form);
    body.set("do", what);
    body.set("by", "script");
    try {
      const answer = await fetch(form.action, { method: "POST", body, keepalive: true });
      if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
      const said = await answer.json();
      apply(said.running, said.seconds);
    } catch {
      if (what !== "beat") apply(false, seconds); // signed out or offline: nothing is measured, and the page says so
    }
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const what = event.submitter?.value ?? "start";
    paused = what === "pause";
    send(what).then(() => form.querySelector(paused ? "[data-start]" : "[data-pause]").focus());
  });
  setInterval(() => {
    if (since) show();
  }, 1000);
  setInterval(() => {
    if (since) send("beat");
  }, BEAT_MS);
  addEventListener("pagehide", () => {
    if (!since) return;
    const body = new FormData(form);
    body.set("do", "pause");
    body.set("by", "script");
    fetch(form.action, { method: "POST", body, keepalive: true }).catch(() => {}); // the sweep ends it otherwise
    since = 0;
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted && !paused) send("start"); // back from the browser's memory
  });
  send("start");
}
