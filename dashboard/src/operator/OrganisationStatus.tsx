import type { Organisation } from "@dialplane/sdk/operator";
import { StatusMark } from "./StatusMark.tsx";
import { operatorText } from "./operator-text.ts";

export function OrganisationStatus({ one }: { one: Organisation }) {
  return <StatusMark look={one.suspended_at ? "stopped" : "active"}>{statusOf(one)}</StatusMark>;
}

function statusOf({ suspended_at, numbers_suspended, numbers_pending }: Organisation): string {
  if (numbers_pending)
    return numbers_suspended
      ? operatorText.organisations.suspendingNumbers
      : operatorText.organisations.resumingNumbers;
  if (!suspended_at) return operatorText.organisations.active;
  return numbers_suspended
    ? operatorText.organisations.suspendedWithNumbers
    : operatorText.organisations.suspended;
}
