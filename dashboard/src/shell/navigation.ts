import {
  Activity,
  Cable,
  ChartColumn,
  Hash,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  PhoneIncoming,
  ScrollText,
  Settings,
  Users,
  Webhook,
} from "lucide-react";
import { shellText } from "./shell-text.ts";
import { sharedText } from "../components/shared-text.ts";

/** A page of an organisation without further parameters. */
export type PagePath =
  `/o/$organisation/$environment/${"overview" | "numbers" | "calls" | "usage" | "jobs" | "connections" | "events" | "webhooks" | "api-keys" | "members" | "audit" | "settings"}`;

export interface Entry {
  label: string;
  icon: LucideIcon;
  to: PagePath;
  /** Pressed after g. */
  key: string;
  /** Roles that may see the page. All roles if omitted. */
  roles?: readonly string[];
  /** Count shown in the sidebar. */
  counts?: "problems" | "numbers" | "calls";
}

interface Group {
  /** The first group has no heading. */
  label?: string;
  entries: readonly Entry[];
}

const BUILDERS = ["owner", "admin", "developer"];
const MANAGERS = ["owner", "admin"];
const at = "/o/$organisation/$environment";

/** Pages of an organisation in sidebar order. The palette, the bottom bar and the shortcuts use them too. */
const GROUPS: readonly Group[] = [
  {
    entries: [
      {
        label: shellText.overview,
        icon: LayoutDashboard,
        to: `${at}/overview`,
        key: "o",
        counts: "problems",
      },
      { label: sharedText.numbers, icon: Hash, to: `${at}/numbers`, key: "n", counts: "numbers" },
      { label: shellText.calls, icon: PhoneIncoming, to: `${at}/calls`, key: "l", counts: "calls" },
      { label: shellText.connections, icon: Cable, to: `${at}/connections`, key: "c", roles: BUILDERS },
      { label: shellText.usage, icon: ChartColumn, to: `${at}/usage`, key: "u" },
      { label: shellText.jobs, icon: ListChecks, to: `${at}/jobs`, key: "j" },
    ],
  },
  {
    label: shellText.developers,
    entries: [
      { label: shellText.apiKeys, icon: KeyRound, to: `${at}/api-keys`, key: "k", roles: BUILDERS },
      { label: shellText.webhooks, icon: Webhook, to: `${at}/webhooks`, key: "w", roles: BUILDERS },
      { label: shellText.events, icon: Activity, to: `${at}/events`, key: "e", roles: BUILDERS },
    ],
  },
  {
    label: shellText.organisationPages,
    entries: [
      { label: shellText.members, icon: Users, to: `${at}/members`, key: "m", roles: MANAGERS },
      { label: shellText.auditLog, icon: ScrollText, to: `${at}/audit`, key: "a", roles: MANAGERS },
      { label: shellText.settings, icon: Settings, to: `${at}/settings`, key: "s", roles: MANAGERS },
    ],
  },
];

export const NAVIGATION = GROUPS.flatMap(({ entries }) => entries);
export const HOME = NAVIGATION[0]!;

/** Groups with the pages that the role may see. */
export function navigationFor(role: string | null): Group[] {
  return GROUPS.map((group) => ({
    ...group,
    entries: group.entries.filter(({ roles }) => !roles || (role !== null && roles.includes(role))),
  })).filter(({ entries }) => entries.length > 0);
}
