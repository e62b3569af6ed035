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
import { shellText } from "./shell-text.ts";
import { sharedText } from "../components/shared-text.ts";

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
  { label: sharedText.numbers, icon: Hash, to: `${at}/numbers`, key: "n" },
  { label: shellText.live, icon: Radio, to: `${at}/live`, key: "l" },
  { label: shellText.usage, icon: ChartColumn, to: `${at}/usage`, key: "u" },
  { label: shellText.jobs, icon: ListChecks, to: `${at}/jobs`, key: "j" },
  { label: shellText.connections, icon: Cable, to: `${at}/connections`, key: "c", roles: BUILDERS },
  { label: shellText.events, icon: Activity, to: `${at}/events`, key: "e", roles: BUILDERS },
  { label: shellText.webhooks, icon: Webhook, to: `${at}/webhooks`, key: "w", roles: BUILDERS },
  { label: shellText.apiKeys, icon: KeyRound, to: `${at}/api-keys`, key: "k", roles: BUILDERS },
  { label: shellText.members, icon: Users, to: `${at}/members`, key: "m", roles: MANAGERS },
  { label: shellText.auditLog, icon: ScrollText, to: `${at}/audit`, key: "a", roles: MANAGERS },
];

export function navigationFor(role: string | null): readonly Entry[] {
  return NAVIGATION.filter(({ roles }) => !roles || (role !== null && roles.includes(role)));
}
