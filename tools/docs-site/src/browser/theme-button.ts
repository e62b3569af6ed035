/** Its words say what a press does. */
export function startThemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>("button.theme")!;
  const root = document.documentElement;
  const isDark = (): boolean =>
    (root.dataset["theme"] ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) ===
    "dark";
  const show = (): void => {
    button.textContent = isDark() ? "Light" : "Dark";
  };
  button.addEventListener("click", () => {
    root.dataset["theme"] = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("dialplane-docs-theme", root.dataset["theme"]);
    } catch {
      // It holds for this page then.
    }
    show();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
  button.hidden = false;
}
