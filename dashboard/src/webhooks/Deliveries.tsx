import type { WebhookDelivery } from "@dialplane/sdk";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleX, Clock, RotateCcw } from "lucide-react";
import { useState } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import type { ShownCall } from "../as-code/shown-call.ts";
import { Button } from "../components/Button.tsx";
import { FilterSelect } from "../components/FilterSelect.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { paging, rowsOf } from "../components/paging.ts";
import { Section } from "../components/Section.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { momentOf } from "../components/dates.ts";
import { wordFor } from "../components/shared-text.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { webhooksText } from "./webhooks-text.ts";

type Status = "pending" | "delivered" | "failed";
const STATUSES = [
  { value: "pending", label: webhooksText.deliveryStatuses.pending },
  { value: "delivered", label: webhooksText.deliveryStatuses.delivered },
  { value: "failed", label: webhooksText.deliveryStatuses.failed },
] as const;
const REFRESH_MS = 3_000;

interface DeliveriesProps {
  place: OpenPlace;
  endpointId: string;
}

/** Deliveries with their results, newest first, and replay. */
export function Deliveries({ place, endpointId }: DeliveriesProps) {
  const { organisation, environment, client } = place;
  const [status, setStatus] = useState<Status>();
  const list = useInfiniteQuery({
    queryKey: [organisation, environment, "webhook-endpoint", endpointId, "deliveries", status ?? "all"],
    queryFn: ({ signal, pageParam }) =>
      withSession(() =>
        client.webhookEndpoints.listDeliveries(
          endpointId,
          { limit: 50, status, cursor: pageParam },
          { signal },
        ),
      ),
    ...paging,
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : REFRESH_MS),
  });
  const replay = useReplay(place, endpointId);
  const deliveries = rowsOf(list.data);
  return (
    <Section
      title={webhooksText.deliveries}
      aside={
        <div className="flex flex-wrap gap-2">
          <AsCode of={webhooksText.deliveries} call={() => callsOf(endpointId, status)} />
          <FilterSelect label={webhooksText.status} value={status} options={STATUSES} onChange={setStatus} />
          <Button
            size="small"
            icon={<RotateCcw aria-hidden className="size-3.5" />}
            isPending={replay.isPending && replay.variables === undefined}
            onClick={() => replay.mutate(undefined)}
          >
            {webhooksText.replayFailed}
          </Button>
        </div>
      }
    >
      {list.data && deliveries.length === 0 && (
        <p className="rounded-lg border border-line bg-surface px-4 py-6 text-center text-sm text-ink-2">
          {status ? webhooksText.noneWithStatus : webhooksText.noDeliveries}
        </p>
      )}
      {deliveries.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {deliveries.map((delivery) => (
            <Row
              key={delivery.id}
              delivery={delivery}
              isReplaying={replay.isPending && replay.variables === delivery.id}
              onReplay={() => replay.mutate(delivery.id)}
            />
          ))}
        </ul>
      )}
      <MoreRows list={list} />
    </Section>
  );
}

function callsOf(id: string, status: Status | undefined): ShownCall[] {
  return [
    { operation: "listWebhookDeliveries", path: { id }, query: { limit: 50, ...(status && { status }) } },
    { operation: "replayWebhookDeliveries", path: { id }, body: { status: "failed" } },
  ];
}

/** Replays one delivery, or all failed ones without an ID. */
function useReplay({ organisation, environment, client }: OpenPlace, endpointId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string | undefined) =>
      withSession(() =>
        client.webhookEndpoints.replayDeliveries(endpointId, id ? { delivery_id: id } : { status: "failed" }),
      ),
    onSuccess: ({ replayed }) => {
      tellDone(webhooksText.replayed(replayed));
      return queries.invalidateQueries({
        queryKey: [organisation, environment, "webhook-endpoint", endpointId],
      });
    },
  });
}

const LOOKS = {
  pending: { icon: Clock, look: "text-wait" },
  delivered: { icon: CircleCheck, look: "text-good" },
  failed: { icon: CircleX, look: "text-bad" },
};

interface RowProps {
  delivery: WebhookDelivery;
  isReplaying: boolean;
  onReplay(): void;
}

function Row({ delivery, isReplaying, onReplay }: RowProps) {
  const { event_type, status, attempts, answered, error, created_at, next_attempt_at } = delivery;
  const { icon: Icon, look } = LOOKS[status as Status] ?? LOOKS.pending;
  const word = STATUSES.find(({ value }) => value === status)?.label ?? wordFor(status);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <div className="grid min-w-0 grow basis-48">
        <code className="font-mono text-sm break-all">{event_type}</code>
        <p className="text-xs text-ink-2">
          <RelativeTime at={created_at} />, {webhooksText.attempts(attempts)}
          {answered !== null && webhooksText.response(answered)}
          {error && `, ${error}`}
          {status === "pending" && next_attempt_at && webhooksText.nextAttempt(momentOf(next_attempt_at))}
        </p>
      </div>
      <span className="inline-flex items-center gap-1.5 text-xs font-medium">
        <Icon aria-hidden className={`size-3.5 ${look}`} />
        {word}
      </span>
      {status !== "pending" && (
        <Button
          size="small"
          aria-label={webhooksText.replayOf(event_type)}
          isPending={isReplaying}
          onClick={onReplay}
        >
          {webhooksText.replay}
        </Button>
      )}
    </li>
  );
}
