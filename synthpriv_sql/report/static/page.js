"use strict";
(() => {
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  root.classList.add("scripted");

  // Light or dark: as the system says, unless the reader says otherwise. A file may have no storage.
  const themes = ["auto", "light", "dark"];
  const stored = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const apply = (theme) => {
    if (theme === "auto") delete root.dataset.theme; else root.dataset.theme = theme;
    byId("theme-name").textContent = byId("theme").dataset[theme];
    try { localStorage.setItem("theme", theme); } catch { /* stays for as long as the page is open */ }
  };
  apply(themes.includes(stored()) ? stored() : "auto");
  byId("theme").addEventListener("click", () => {
    apply(themes[(themes.indexOf(root.dataset.theme ?? "auto") + 1) % themes.length]);
  });

  // Copy buttons. The clipboard is closed to files in some browsers: then the text is selected, to be copied by hand.
  for (const button of document.querySelectorAll(".copy")) {
    button.addEventListener("click", async () => {
      const code = button.closest(".code").querySelector("code");
      getSelection().selectAllChildren(code);
      let copied = true;
      try { await navigator.clipboard.writeText(code.textContent); } catch { copied = document.execCommand("copy"); }
      button.textContent = copied ? button.dataset.copied : button.dataset.selected;
      setTimeout(() => { button.textContent = button.dataset.copy; }, 1600);
    });
  }

  // The threshold of minimum distance accumulation.
  const slider = byId("threshold");
  const areas = new Map(JSON.parse(byId("areas").textContent).map(([at, ...values]) => [at.toFixed(2), values]));
  slider.addEventListener("input", () => {
    const [shown, privacy, resemblance] = areas.get(Number(slider.value).toFixed(2));
    slider.closest("figure").style.setProperty("--t", slider.value);
    byId("threshold-value").textContent = shown;
    byId("privacy").textContent = privacy;
    byId("resemblance").textContent = resemblance;
  });

  // What a mark of a chart stands for, at the pointer.
  const tip = byId("tip");
  document.addEventListener("pointermove", (event) => {
    const mark = event.target.closest?.(".chart [aria-roledescription$='mark'], .chart [role='graphics-symbol']:not([aria-roledescription='axis'])");
    const text = mark?.getAttribute("aria-label");
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(event.clientX + 12, innerWidth - box.width - 8))}px`;
    tip.style.top = `${Math.max(8, event.clientY - box.height - 12)}px`;
  });

  // A link to SQL opens it.
  const open = () => {
    const target = location.hash && byId(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) { target.open = true; target.scrollIntoView(); }
  };
  addEventListener("hashchange", open);
  open();

  // On paper nothing is folded but the SQL; afterwards all is as it was.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not(.sql):not([open])")];
    for (const folded of opened) folded.open = true;
  });
  addEventListener("afterprint", () => { for (const folded of opened) folded.open = false; });

  // Where the reader is.
  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(entry.target.id)?.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "0px 0px -75% 0px" });
  for (const section of document.querySelectorAll("main > section")) seen.observe(section);
})();
