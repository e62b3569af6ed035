import type { Environment } from "../../platform/db/database.ts";

export const ORGANISATION_KINDS = [
  "number_failing",
  "number_flapping",
  "connection_unreachable",
  "webhook_endpoint_disabled",
  "order_failed",
  "order_action_required",
] as const;
export type OrganisationKind = (typeof ORGANISATION_KINDS)[number];

export const OPERATOR_KINDS = ["switch_silent", "backlog"] as const;
export type OperatorKind = (typeof OPERATOR_KINDS)[number];

export type NotificationKind = OrganisationKind | OperatorKind;

/** Channels of one kind of problem. */
export interface Rule {
  webhook: boolean;
  user_ids: string[];
}
export type Rules = Partial<Record<NotificationKind, Rule>>;

/** A problem begins when it has lasted this long, and ends when it was gone for this long. */
export const SETTLED_MS = 60_000;
/** Delay between two sweeps of the same organisation. */
export const SWEEP_MS = 10_000;

/** Rules without a channel are not kept. */
export function withoutSilentRules(rules: Rules): Rules {
  return Object.fromEntries(
    Object.entries(rules).filter(([, { webhook, user_ids: ids }]) => webhook || ids.length > 0),
  );
}

export interface Noticed {
  organisation_id: string | null;
  environment: Environment | null;
  kind: NotificationKind;
  subject: string;
}

/** Page of the dashboard that shows the problem. */
export function linkTo(
  baseUrl: string,
  { organisation_id: organisation, environment, kind, subject }: Noticed,
): string {
  const pages: Record<NotificationKind, string> = {
    number_failing: `/numbers/${subject}`,
    number_flapping: `/numbers/${subject}`,
    connection_unreachable: "/connections",
    webhook_endpoint_disabled: `/webhooks/${subject}`,
    order_failed: "/jobs",
    order_action_required: "/jobs",
    switch_silent: "/switches",
    backlog: "",
  };
  const root = organisation === null ? "/operator" : `/o/${organisation}/${environment}`;
  return `${baseUrl}${root}${pages[kind]}`;
}
