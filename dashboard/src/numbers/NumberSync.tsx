import type { PhoneNumber } from "@dialplane/sdk";
import { TriangleAlert, Unplug } from "lucide-react";
import { StatusBadge } from "../components/StatusBadge.tsx";
import { numbersText } from "./numbers-text.ts";
import { RoutingStatus } from "./RoutingStatus.tsx";

type Routing = NonNullable<PhoneNumber["routing"]>;

/** Routing status, with the switches it concerns. A route that no switch can use is not shown as good. */
export function NumberSync({ routing }: { routing: Routing }) {
  const { status, flapping, health } = routing;
  if (status === "in_sync" && !flapping && health === "down")
    return (
      <StatusBadge tone="bad" icon={Unplug} says={numbersText.healthHints.down}>
        {numbersText.health.down}
      </StatusBadge>
    );
  if (status === "in_sync" && !flapping && health === "partial")
    return (
      <StatusBadge tone="warn" icon={TriangleAlert} says={numbersText.healthHints.partial}>
        {numbersText.health.partial}
      </StatusBadge>
    );
  return <RoutingStatus status={status} isFlapping={flapping} where={whereOf(routing)} />;
}

/** How many switches have the change, or the name of the switch that has a problem. */
function whereOf({ status, switches, switches_behind: behind }: Routing): string | undefined {
  if (behind.length === 0) return undefined;
  if (status === "pending") return numbersText.appliedOn(switches - behind.length, switches);
  const concerned = behind.filter(({ state }) => state === status);
  if (concerned.length !== 1)
    return concerned.length > 0 ? numbersText.onSwitches(concerned.length) : undefined;
  return numbersText.onSwitch(concerned[0]!.switch);
}
