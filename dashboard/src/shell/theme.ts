import { createStore } from "../store.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "theme";

/** public/theme.js sets the stored theme before the first paint. */
export const theme = createStore((document.documentElement.dataset["theme"] ?? "system") as Theme);

export function setTheme(chosen: Theme): void {
  document.documentElement.dataset["theme"] = chosen;
  localStorage.setItem(KEY, chosen);
  theme.set(chosen);
}
