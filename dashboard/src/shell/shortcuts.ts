import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { COMMAND_KEY } from "../components/Keys.tsx";
import { createStore } from "../store.ts";
import type { Place } from "./last-place.ts";
import { NAVIGATION } from "./navigation.ts";
import { shellText } from "./shell-text.ts";

/** Overlay that a keyboard shortcut has opened. */
export const overlay = createStore<"palette" | "shortcuts" | undefined>(undefined);

export const SHORTCUTS: readonly { keys: string[]; does: string }[] = [
  { keys: [COMMAND_KEY, "K"], does: shellText.shortcutPalette },
  { keys: ["/"], does: shellText.shortcutSearch },
  ...NAVIGATION.map(({ label, key }) => ({ keys: ["G", key.toUpperCase()], does: shellText.goTo(label) })),
  { keys: ["?"], does: shellText.shortcutHelp },
];

/** Time limit for the second key after g. */
const SEQUENCE_MS = 1_000;

export function useShortcuts({ organisation, environment }: Place): void {
  const navigate = useNavigate();
  useEffect(() => {
    let wentAt = 0;
    const onKey = (event: KeyboardEvent): void => {
      if (togglesPalette(event)) return;
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const target = NAVIGATION.find(({ key }) => key === event.key);
      if (target && event.timeStamp - wentAt < SEQUENCE_MS)
        void navigate({ to: target.to, params: { organisation, environment } });
      else if (event.key === "?") overlay.set("shortcuts");
      else if (event.key === "/") focusSearch(event);
      wentAt = event.key === "g" ? event.timeStamp : 0;
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [navigate, organisation, environment]);
}

/** For pages whose only shortcut is the palette. */
export function usePaletteShortcut(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => void togglesPalette(event);
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

function togglesPalette(event: KeyboardEvent): boolean {
  if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== "k") return false;
  event.preventDefault();
  overlay.set(overlay.get() === "palette" ? undefined : "palette");
  return true;
}

function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLInputElement>("main input[type=search]");
  event.preventDefault();
  if (!search) {
    overlay.set("palette");
    return;
  }
  search.focus();
  search.select();
}

/** Letters belong to input fields and overlays. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input, textarea, select, [contenteditable=true], [role=dialog], [role=menu]") !== null
  );
}
