import {
  Activity,
  Cable,
  ChartColumn,
  Hash,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Radio,
  ScrollText,
  Users,
  Webhook,
} from "lucide-react";

/** A page of an organisation without further parameters. */
export type PagePath =
  `/o/$organisation/$environment/${"numbers" | "live" | "usage" | "jobs" | "connections" | "events" | "webhooks" | "api-keys" | "members" | "audit"}`;

interface Entry {
  label: string;
  icon: LucideIcon;
  to: PagePath;
  /** Pressed after g. */
  key: string;
  /** Roles that may see the page. All roles if omitted. */
  roles?: readonly string[];
}

const BUILDERS = ["owner", "admin", "developer"];
const MANAGERS = ["owner", "admin"];
const at = "/o/$organisation/$environment";

/** Pages of an organisation in sidebar order. The palette and the shortcuts use them too. */
export const NAVIGATION: readonly Entry[] = [
  { label: "Numbers", icon: Hash, to: `${at}/numbers`, key: "n" },
  { label: "Live", icon: Radio, to: `${at}/live`, key: "l" },
  { label: "Usage", icon: ChartColumn, to: `${at}/usage`, key: "u" },
  { label: "Jobs", icon: ListChecks, to: `${at}/jobs`, key: "j" },
  { label: "Connections", icon: Cable, to: `${at}/connections`, key: "c", roles: BUILDERS },
  { label: "Events", icon: Activity, to: `${at}/events`, key: "e", roles: BUILDERS },
  { label: "Webhooks", icon: Webhook, to: `${at}/webhooks`, key: "w", roles: BUILDERS },
  { label: "API keys", icon: KeyRound, to: `${at}/api-keys`, key: "k", roles: BUILDERS },
  { label: "Members", icon: Users, to: `${at}/members`, key: "m", roles: MANAGERS },
  { label: "Audit log", icon: ScrollText, to: `${at}/audit`, key: "a", roles: MANAGERS },
];

export function navigationFor(role: string | null): readonly Entry[] {
  return NAVIGATION.filter(({ roles }) => !roles || (role !== null && roles.includes(role)));
}
