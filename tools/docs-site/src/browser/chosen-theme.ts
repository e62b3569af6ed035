/** Before the page is drawn, or it would flash. Where nothing was chosen the system's own counts. */
try {
  const chosen = localStorage.getItem("dialplane-docs-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
} catch {
  // A browser that keeps nothing for pages from a disk.
}
