import type { OrderItem } from "@dialplane/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleX,
  LoaderCircle,
  type LucideIcon,
} from "lucide-react";
import { AsCode } from "../as-code/AsCode.tsx";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Section } from "../components/Section.tsx";
import { OrderRequirements } from "../evidence/OrderRequirements.tsx";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { ordersText } from "./orders-text.ts";
import { sharedText } from "../components/shared-text.ts";

const WATCHING_MS = 1_000;

const LOOKS: Record<string, { icon: LucideIcon; look: string; says: string }> = {
  pending: { icon: CircleDashed, look: "text-ink-2", says: ordersText.itemStatuses.pending },
  submitted: { icon: LoaderCircle, look: "text-wait", says: ordersText.itemStatuses.submitted },
  action_required: { icon: CircleAlert, look: "text-warn", says: ordersText.itemStatuses.action_required },
  succeeded: { icon: CircleCheck, look: "text-good", says: ordersText.itemStatuses.succeeded },
  failed: { icon: CircleX, look: "text-bad", says: ordersText.itemStatuses.failed },
  outcome_unknown: { icon: CircleHelp, look: "text-warn", says: ordersText.itemStatuses.outcome_unknown },
};

interface OrderItemsProps {
  place: OpenPlace;
  orderId: string;
  hasEnded: boolean;
}

/** Result of each number of an order. */
export function OrderItems({ place, orderId, hasEnded }: OrderItemsProps) {
  const { organisation, environment, client } = place;
  const order = useQuery({
    queryKey: [organisation, environment, "order", orderId, hasEnded],
    queryFn: ({ signal }) => withSession(() => client.orders.get(orderId, { signal })),
    placeholderData: (before) => before,
    refetchInterval: hasEnded ? false : WATCHING_MS,
  });
  if (order.error && !order.data) return <FailureNotice error={order.error} />;
  if (!order.data) return <RowSkeletons count={3} />;
  const { items, external_ref, label } = order.data;
  return (
    <>
      <OrderRequirements place={place} order={order.data} />
      <Section
        title={sharedText.numbers}
        aside={
          <p className="flex flex-wrap items-center gap-2 text-sm text-ink-2">
            <AsCode of={ordersText.order} call={() => ({ operation: "getOrder", path: { id: orderId } })} />
            {[label && ordersText.labelled(label), external_ref && ordersText.referenceOf(external_ref)]
              .filter(Boolean)
              .join(", ")}
          </p>
        }
      >
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {items.map((item, at) => (
            // Items have no key before a number is chosen. Their order never changes.
            <Row key={at} place={place} item={item} />
          ))}
        </ul>
      </Section>
    </>
  );
}

function Row({ place: { organisation, environment }, item }: { place: OpenPlace; item: OrderItem }) {
  const { icon: Icon, look, says } = LOOKS[item.status] ?? LOOKS["pending"]!;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      {item.number_id ? (
        <Link
          to="/o/$organisation/$environment/numbers/$number"
          params={{ organisation, environment, number: item.number_id }}
          className="grow rounded font-medium tabular-nums underline"
        >
          {item.e164 && <PhoneNumber e164={item.e164} />}
        </Link>
      ) : (
        <span className="grow tabular-nums">{item.e164 ?? ordersText.anyNumber}</span>
      )}
      <span className="inline-flex items-center gap-1.5 text-xs font-medium">
        <Icon aria-hidden className={`size-3.5 ${look}`} />
        {says}
      </span>
      {item.error && <span className="w-full text-xs break-words text-bad">{item.error.detail}</span>}
    </li>
  );
}
