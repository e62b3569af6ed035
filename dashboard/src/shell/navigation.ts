import { Hash, type LucideIcon } from "lucide-react";

interface Entry {
  label: string;
  icon: LucideIcon;
  to: "/o/$organisation/$environment/numbers";
  /** Pressed after g. */
  key: string;
}

/** The pages of an organisation, in the order of the side bar; the palette and the shortcuts follow. */
export const NAVIGATION: readonly Entry[] = [
  { label: "Numbers", icon: Hash, to: "/o/$organisation/$environment/numbers", key: "n" },
];
