import type { PhoneNumber as Number } from "@dialplane/sdk";
import { ArrowRight, AtSign, Ban, Cable, type LucideIcon, PhoneForwarded, Webhook } from "lucide-react";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { wordFor } from "../components/shared-text.ts";
import { numbersText } from "./numbers-text.ts";

type Routing = NonNullable<Number["routing"]>;
type Destination = Routing["destination"];

const MODE_ICONS: Record<string, LucideIcon> = {
  sip_uri: AtSign,
  connection: Cable,
  forward: PhoneForwarded,
  webhook: Webhook,
  unrouted: Ban,
};

/** Desired destination. If switches hold another one, that comes first. */
export function RoutingChange({
  routing: { destination, applied_destination: applied },
}: {
  routing: Routing;
}) {
  const { mode, steps } = destination;
  const Icon = MODE_ICONS[mode] ?? Cable;
  return (
    <span className="flex min-w-0 items-center gap-1.5" title={titleOf(destination, applied)}>
      {applied && (
        <>
          <s className="max-w-2/5 shrink-0 truncate text-ink-3">
            <DestinationName destination={applied} />
          </s>
          <ArrowRight aria-hidden className="size-3.5 shrink-0 text-ink-3" />
          <span className="sr-only">{numbersText.to}</span>
        </>
      )}
      <Icon aria-hidden className="size-3.5 shrink-0 text-ink-3 max-md:hidden" />
      <span className={`truncate ${mode === "unrouted" ? "text-ink-2" : ""}`}>
        <DestinationName destination={destination} />
      </span>
      {steps > 1 && <span className="shrink-0 text-xs text-ink-3">{numbersText.moreSteps(steps - 1)}</span>}
    </span>
  );
}

function DestinationName({ destination }: { destination: Destination }) {
  const { mode, sip_uri, connection, forward_to, webhook_url } = destination;
  if (forward_to) return <PhoneNumber e164={forward_to} />;
  const address = sip_uri ?? webhook_url;
  return address ? <code className="font-mono text-xs">{address}</code> : (connection?.name ?? wordFor(mode));
}

function titleOf(destination: Destination, applied: Destination | null): string {
  const desired = textOf(destination);
  return applied ? numbersText.changesTo(textOf(applied), desired) : desired;
}

function textOf({ mode, sip_uri, connection, forward_to, webhook_url }: Destination): string {
  return sip_uri ?? webhook_url ?? forward_to ?? connection?.name ?? wordFor(mode);
}
