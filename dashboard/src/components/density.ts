import { createStore } from "../store.ts";

const DENSITIES = ["comfortable", "compact"] as const;
export type Density = (typeof DENSITIES)[number];

const KEY = "density";

/** Height of rows in tables. public/theme.js sets the stored density before the first paint. */
export const density = createStore(
  DENSITIES.find((one) => one === document.documentElement.dataset["density"]) ?? "comfortable",
);

export function setDensity(chosen: Density): void {
  document.documentElement.dataset["density"] = chosen;
  localStorage.setItem(KEY, chosen);
  density.set(chosen);
}
