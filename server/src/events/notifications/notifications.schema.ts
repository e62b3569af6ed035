import { type Static, type TSchema, Type } from "typebox";
import { closedEnum, Email, shape } from "../../platform/http/shapes.ts";
import { OPERATOR_KINDS, ORGANISATION_KINDS } from "./notifications.rules.ts";

/** Recipients of one kind of problem. */
const MOST_RECIPIENTS = 20;

const Emails = (whose: string) =>
  Type.Array(Email, {
    maxItems: MOST_RECIPIENTS,
    description: `Email addresses that get a message when such a problem begins and when it ends. They must belong to ${whose}.`,
  });

const OrganisationRule = {
  kind: closedEnum(ORGANISATION_KINDS),
  webhook: Type.Boolean({
    description:
      "Whether to create the events `problem.began` and `problem.ended`, for your webhook endpoints.",
  }),
  emails: Emails("members"),
};
const OperatorRule = { kind: closedEnum(OPERATOR_KINDS), emails: Emails("operators") };

const rulesOf = <Rule extends TSchema>(rule: Rule, kinds: readonly string[], description: string) =>
  Type.Array(rule, { maxItems: kinds.length, description });

export const Notifications = shape("Notifications", {
  rules: rulesOf(
    shape("NotificationRule", {
      ...OrganisationRule,
      kind: { ...OrganisationRule.kind, description: "Kind of the problem." },
    }),
    ORGANISATION_KINDS,
    "One rule for each kind of problem.",
  ),
});
export type Notifications = Static<typeof Notifications>;

export const SetNotifications = shape("SetNotifications", {
  rules: rulesOf(
    shape("SetNotificationRule", {
      kind: { ...OrganisationRule.kind, description: "Kind of the problem. Each can occur once." },
      webhook: Type.Optional({ ...OrganisationRule.webhook, default: false }),
      emails: Type.Optional({ ...OrganisationRule.emails, default: [] }),
    }),
    ORGANISATION_KINDS,
    "All rules. Kinds that are absent send no notifications.",
  ),
});
export type SetNotifications = Static<typeof SetNotifications>;

export const OperatorNotifications = shape("OperatorNotifications", {
  rules: rulesOf(
    shape("OperatorNotificationRule", {
      ...OperatorRule,
      kind: { ...OperatorRule.kind, description: "Kind of the problem." },
    }),
    OPERATOR_KINDS,
    "One rule for each kind of problem.",
  ),
});
export type OperatorNotifications = Static<typeof OperatorNotifications>;

export const SetOperatorNotifications = shape("SetOperatorNotifications", {
  rules: rulesOf(
    shape("SetOperatorNotificationRule", {
      ...OperatorRule,
      kind: { ...OperatorRule.kind, description: "Kind of the problem. Each can occur once." },
    }),
    OPERATOR_KINDS,
    "All rules. Kinds that are absent send no notifications.",
  ),
});
export type SetOperatorNotifications = Static<typeof SetOperatorNotifications>;
