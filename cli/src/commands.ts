import { API_COMMANDS } from "./api.commands.ts";
import { API_KEY_COMMANDS } from "./api-keys.commands.ts";
import { AUDIT_COMMANDS } from "./audit.commands.ts";
import { BULK_CHANGE_COMMANDS } from "./bulk-changes.commands.ts";
import { CALL_COMMANDS } from "./calls.commands.ts";
import { CARRIER_COMMANDS } from "./carrier.commands.ts";
import type { Command } from "./cli-command.ts";
import { completionCommands } from "./completion.commands.ts";
import { CONNECTION_COMMANDS } from "./connections.commands.ts";
import { CSV_FILE_COMMANDS } from "./csv-files.commands.ts";
import { DEMO_COMMANDS } from "./demo.commands.ts";
import { DOCTOR_COMMANDS } from "./doctor.commands.ts";
import { EVENT_COMMANDS } from "./events.commands.ts";
import { EVENT_TRIGGER_COMMANDS } from "./events-trigger.commands.ts";
import { EVIDENCE_COMMANDS } from "./evidence.commands.ts";
import { INVENTORY_COMMANDS } from "./inventory.commands.ts";
import { JOB_COMMANDS } from "./jobs.commands.ts";
import { LIVE_COMMANDS } from "./live.commands.ts";
import { MEMBER_COMMANDS } from "./members.commands.ts";
import { NOTIFICATION_COMMANDS } from "./notifications.commands.ts";
import { NUMBER_COMMANDS } from "./numbers.commands.ts";
import { OPERATOR_COMMANDS } from "./operator.commands.ts";
import { ORDER_REQUIREMENT_COMMANDS } from "./order-requirements.commands.ts";
import { ORDER_COMMANDS } from "./orders.commands.ts";
import { ORGANISATION_COMMANDS } from "./organisations.commands.ts";
import { OVERVIEW_COMMANDS } from "./overview.commands.ts";
import { PROBE_COMMANDS } from "./probes.commands.ts";
import { RELEASE_COMMANDS } from "./releases.commands.ts";
import { ROUTING_COMMANDS } from "./routing.commands.ts";
import { SIGN_IN_COMMANDS } from "./sign-in.commands.ts";
import { SIGN_IN_POLICY_COMMANDS } from "./sign-in-policy.commands.ts";
import { TIMELINE_COMMANDS } from "./timeline.commands.ts";
import { USAGE_COMMANDS } from "./usage.commands.ts";
import { WEBHOOK_COMMANDS } from "./webhooks.commands.ts";

/** Everything the program does, in the order of its help. */
export const COMMANDS: readonly Command[] = [
  ...DEMO_COMMANDS,
  ...SIGN_IN_COMMANDS,
  ...ORGANISATION_COMMANDS,
  ...OVERVIEW_COMMANDS,
  ...NUMBER_COMMANDS,
  ...TIMELINE_COMMANDS,
  ...ROUTING_COMMANDS,
  ...PROBE_COMMANDS,
  ...INVENTORY_COMMANDS,
  ...ORDER_COMMANDS,
  ...ORDER_REQUIREMENT_COMMANDS,
  ...EVIDENCE_COMMANDS,
  ...RELEASE_COMMANDS,
  ...JOB_COMMANDS,
  ...BULK_CHANGE_COMMANDS,
  ...CSV_FILE_COMMANDS,
  ...USAGE_COMMANDS,
  ...CALL_COMMANDS,
  ...LIVE_COMMANDS,
  ...CONNECTION_COMMANDS,
  ...API_KEY_COMMANDS,
  ...MEMBER_COMMANDS,
  ...SIGN_IN_POLICY_COMMANDS,
  ...EVENT_COMMANDS,
  ...EVENT_TRIGGER_COMMANDS,
  ...AUDIT_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...NOTIFICATION_COMMANDS,
  ...API_COMMANDS,
  ...OPERATOR_COMMANDS,
  ...completionCommands(() => COMMANDS),
  ...CARRIER_COMMANDS,
  ...DOCTOR_COMMANDS,
];
