import type { Order, OrderItem } from "@dialplane/sdk";

type Requirement = OrderItem["requirements"][number];

/** A requirement that several numbers of an order share. */
export interface RequirementGroup extends Requirement {
  /** Count of numbers in this status. */
  count: number;
}

const ORDER = ["rejected", "missing", "pending", "accepted"];

/** Requirements by ID with their most urgent status, those that need action first. */
export function requirementGroups({ items }: Order): RequirementGroup[] {
  const groups = new Map<string, RequirementGroup>();
  for (const requirement of items.flatMap(({ requirements }) => requirements)) {
    const { id, status } = requirement;
    const known = groups.get(id);
    if (!known || rank(status) < rank(known.status)) groups.set(id, { ...requirement, count: 1 });
    else if (known.status === status) known.count++;
  }
  return [...groups.values()].toSorted((one, other) => rank(one.status) - rank(other.status));
}

function rank(status: string): number {
  return ORDER.indexOf(status);
}

export function isOpen({ status }: Requirement): boolean {
  return status === "missing" || status === "rejected";
}

/** Earliest end of the wait. */
export function actionUntil({ items }: Order): string | undefined {
  return items.flatMap(({ action_required_until: until }) => until ?? []).toSorted()[0];
}
