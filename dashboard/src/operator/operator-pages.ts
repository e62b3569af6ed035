import {
  Building2,
  Cable,
  Database,
  LayoutDashboard,
  Network,
  PhoneIncoming,
  ScrollText,
  Server,
  Users,
} from "lucide-react";
import { operatorCallsText } from "./operator-calls-text.ts";
import { operatorText } from "./operator-text.ts";
import { trunksText } from "./trunks-text.ts";

/** Pages of the operator console, in the order of its navigation. */
export const OPERATOR_PAGES = [
  { label: operatorText.home, icon: LayoutDashboard, to: "/operator" },
  { label: operatorText.switches.title, icon: Server, to: "/operator/switches" },
  { label: operatorCallsText.title, icon: PhoneIncoming, to: "/operator/calls" },
  { label: operatorText.organisations.title, icon: Building2, to: "/operator/organisations" },
  { label: operatorText.users.title, icon: Users, to: "/operator/users" },
  { label: operatorText.pool.title, icon: Database, to: "/operator/pool" },
  { label: operatorText.carriers.title, icon: Cable, to: "/operator/carriers" },
  { label: trunksText.title, icon: Network, to: "/operator/trunks" },
  { label: operatorText.audit.title, icon: ScrollText, to: "/operator/audit" },
] as const;
