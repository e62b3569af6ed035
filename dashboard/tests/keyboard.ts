import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Actions of a keyboard user. Each focus stop must be visible. */
export interface Keyboard {
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Tab, or Shift+Tab, until this has the keyboard. */
  tabTo(name: string | RegExp, key?: "Tab" | "Shift+Tab"): Promise<void>;
  /** Skips the sidebar with the first link of each page. */
  skipToContent(): Promise<void>;
  /** Waits until the keyboard is where this is called so, as when a dialog has opened or closed. */
  isAt(name: string | RegExp): Promise<void>;
  isInDialog(title: string): Promise<void>;
}

interface Stop {
  name: string;
  /** Whether one sees that it has the keyboard. */
  isMarked: boolean;
  isInSight: boolean;
  dialog: string | null;
}

/** Longer than any list needs. */
const MOST_STOPS = 60;

const STOP = `(() => {
  const at = document.activeElement, box = at.getBoundingClientRect();
  const isOutlined = (one) => one && getComputedStyle(one).outlineStyle !== "none" && parseFloat(getComputedStyle(one).outlineWidth) > 0;
  const text = at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent;
  const dialog = at.closest("[role=dialog]");
  return {
    name: at === document.body ? "" : text.trim(),
    // A hidden radio button is marked by its label, what is chosen in a menu by its ground, a field by its caret too.
    isMarked: at === document.body || [at, at.closest("label")].some(isOutlined) || at.hasAttribute("data-highlighted") || at.getAttribute("role") === "combobox",
    isInSight: at === document.body || (box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth),
    dialog: dialog && document.getElementById(dialog.getAttribute("aria-labelledby"))?.textContent,
  };
})()`;

export function keyboardOf(page: Page): Keyboard {
  const stop = (): Promise<Stop> => page.evaluate<Stop>(STOP);
  const fits = (name: string | RegExp, said: string): boolean =>
    typeof name === "string" ? said === name : name.test(said);
  const press: Keyboard["press"] = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const tabTo: Keyboard["tabTo"] = async (name, key = "Tab") => {
    const passed: string[] = [];
    for (let count = 0; count < MOST_STOPS; count++) {
      await page.keyboard.press(key);
      // An animation, or rows that arrive, can move it for a moment.
      await expect
        .poll(stop, { message: "a stop that is seen" })
        .toMatchObject({ isMarked: true, isInSight: true });
      const at = await stop();
      if (fits(name, at.name)) return;
      passed.push(at.name);
    }
    throw new Error(`${name} does not come, only ${passed.join(" | ")}`);
  };
  return {
    press,
    type: (text) => page.keyboard.type(text),
    tabTo,
    async skipToContent() {
      await page.evaluate("document.activeElement.blur()"); // as when the page has just been opened
      await tabTo("Skip to content");
      await press("Enter");
    },
    async isAt(name) {
      await expect.poll(async () => fits(name, (await stop()).name) || (await stop()).name).toBe(true);
    },
    async isInDialog(title) {
      await expect.poll(async () => (await stop()).dialog).toBe(title);
    },
  };
}
