import type { WebhookEndpoint } from "@dialplane/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus, Webhook } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { Page } from "../components/Page.tsx";
import { paging, rowsOf } from "../components/paging.ts";
import { withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { EndpointDialog } from "./EndpointDialog.tsx";
import { EndpointStatus } from "./EndpointStatus.tsx";
import { webhooksText } from "./webhooks-text.ts";

/** Webhook endpoints. */
export function WebhooksPage() {
  useTitle(webhooksText.title);
  const place = useOpenPlace();
  const { organisation, environment, client } = place;
  const [isAdding, setAdding] = useState(false);
  const list = useInfiniteQuery({
    queryKey: [organisation, environment, "webhook-endpoints"],
    queryFn: ({ signal, pageParam }) =>
      withSession(() => client.webhookEndpoints.list({ limit: 50, cursor: pageParam }, { signal })),
    ...paging,
  });
  const endpoints = rowsOf(list.data);
  const add = (
    <Button look="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setAdding(true)}>
      {webhooksText.add}
    </Button>
  );
  return (
    <Page
      title={webhooksText.title}
      says={webhooksText.about}
      asCode={() => ({ operation: "listWebhookEndpoints" })}
      aside={endpoints.length > 0 && add}
    >
      {list.data && endpoints.length === 0 && (
        <EmptyState icon={Webhook} title={webhooksText.none} action={add}>
          {webhooksText.noneHint(environment)}
        </EmptyState>
      )}
      {endpoints.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {endpoints.map((endpoint) => (
            <Row key={endpoint.id} place={place} endpoint={endpoint} />
          ))}
        </ul>
      )}
      <MoreRows list={list} />
      {isAdding && <EndpointDialog place={place} endpoint={undefined} onClose={() => setAdding(false)} />}
    </Page>
  );
}

function Row({ place, endpoint }: { place: OpenPlace; endpoint: WebhookEndpoint }) {
  const { organisation, environment } = place;
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 hover:bg-hover">
      <div className="grid min-w-0 grow basis-56">
        <Link
          to="/o/$organisation/$environment/webhooks/$endpoint"
          params={{ organisation, environment, endpoint: endpoint.id }}
          className="truncate rounded font-medium after:absolute after:inset-0"
        >
          {endpoint.url}
        </Link>
        <p className="truncate text-xs text-ink-2">
          {endpoint.description ?? webhooksText.noDescription},{" "}
          {endpoint.event_types.length === 0 ? webhooksText.allEvents : endpoint.event_types.join(", ")}
        </p>
      </div>
      <EndpointStatus endpoint={endpoint} />
    </li>
  );
}
