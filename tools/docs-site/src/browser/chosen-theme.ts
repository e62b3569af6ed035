/** Runs before the first paint, or the page would flash. Without a choice the system's theme counts. */
try {
  const chosen = localStorage.getItem("dialplane-docs-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
} catch {
  // A browser that keeps nothing for pages from a disk.
}
