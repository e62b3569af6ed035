import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** The first is Chromium without windows: it draws the same pages for half the processor time. */
const PROGRAMS = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

export function openBrowser(): Promise<Browser> {
  const executablePath = PROGRAMS.find((path) => existsSync(path));
  if (!executablePath) throw new Error("Chromium is not installed. Run ./bootstrap.");
  return chromium.launch({
    executablePath,
    // Without a GPU, a process that stands for it only takes processor time.
    args: ["--no-sandbox", "--disable-gpu", "--in-process-gpu", "--disable-background-networking"],
  });
}
