import type { Letter } from "../../events/mails/mails.ts";
import { linkTo, type NotificationKind, type ProblemRow } from "../../events/notifications/notifications.ts";

type Notified = ProblemRow & { organisation_name: string | null };

/** Problems that a mail names one by one. */
const MOST_NAMED = 20;

/** Sentence about one problem, and about several, when they begin and when they end. */
const WORDS: Record<NotificationKind, { one: [string, string]; many: [string, string] }> = {
  number_failing: {
    one: ["A switch rejects the route of", "Switches accept the route again of"],
    many: ["numbers are failing", "numbers are no longer failing"],
  },
  number_flapping: {
    one: ["The route keeps drifting of", "The route no longer drifts of"],
    many: ["numbers keep drifting", "numbers no longer drift"],
  },
  connection_unreachable: {
    one: ["No target responds of connection", "A target responds again of connection"],
    many: ["connections are unreachable", "connections are reachable again"],
  },
  webhook_endpoint_disabled: {
    one: ["Deliveries stopped to webhook endpoint", "Deliveries continue to webhook endpoint"],
    many: ["webhook endpoints were disabled", "webhook endpoints are no longer disabled"],
  },
  order_failed: {
    one: ["Order failed:", "A day has passed since this order failed:"],
    many: ["orders failed", "orders failed a day ago"],
  },
  order_action_required: {
    one: ["The carrier needs evidence for order", "The carrier needs no more evidence for order"],
    many: ["orders need evidence for the carrier", "orders need no more evidence"],
  },
  switch_silent: {
    one: ["No report from switch", "Reports again from switch"],
    many: ["switches have stopped reporting", "switches report again"],
  },
  backlog: {
    one: ["More than five minutes late:", "No longer late:"],
    many: ["kinds of background work are late", "kinds of background work are no longer late"],
  },
};

/** About all problems of a kind that began, or ended, at the same time. Undefined if they were deleted. */
export function problemLetter(
  transition: "began" | "ended",
  problems: readonly Notified[],
  baseUrl: string,
): Letter | undefined {
  const [first] = problems;
  if (!first) return undefined;
  const place = transition === "began" ? 0 : 1;
  const { one, many } = WORDS[first.kind];
  const title =
    problems.length === 1 ? `${one[place]} ${nameOf(first)}` : `${problems.length} ${many[place]}`;
  const named = problems.slice(0, MOST_NAMED).map((problem) => {
    const cause = problem.error && transition === "began" ? `\n  ${problem.error}` : "";
    return `${nameOf(problem)}\n  since ${problem.since.toISOString()}${cause}\n  ${linkTo(baseUrl, problem)}`;
  });
  const rest = problems.length - named.length;
  const others = rest > 0 ? `\n\nand ${rest} more` : "";
  return {
    subject: `${first.organisation_name ?? "Dialplane"}${first.environment === "test" ? " (test)" : ""}: ${title}`,
    text: `${title}.\n\n${named.join("\n\n")}${others}\n\nYou get this email because of a notification rule.`,
  };
}

function nameOf({ label, subject }: Notified): string {
  return label ?? subject;
}
