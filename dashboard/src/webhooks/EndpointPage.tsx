import { NotFoundError, type WebhookEndpoint } from "@dialplane/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Webhook } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { Page } from "../components/Page.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { Deliveries } from "./Deliveries.tsx";
import { EndpointDialog } from "./EndpointDialog.tsx";
import { EndpointStatus } from "./EndpointStatus.tsx";
import { webhooksText } from "./webhooks-text.ts";
import { sharedText } from "../components/shared-text.ts";

const route = getRouteApi("/signed-in/o/$organisation/$environment/webhooks/$endpoint");
const REFRESH_MS = 10_000;

/** One endpoint: status, deliveries and replay. */
export function EndpointPage() {
  useTitle(webhooksText.endpoint);
  const place = useOpenPlace();
  const { organisation, environment, client } = place;
  const { endpoint: id } = route.useParams();
  const endpoint = useQuery({
    queryKey: [organisation, environment, "webhook-endpoint", id],
    queryFn: ({ signal }) => withSession(() => client.webhookEndpoints.get(id, { signal })),
    refetchInterval: REFRESH_MS,
  });
  if (endpoint.error instanceof NotFoundError)
    return (
      <EmptyState isPage icon={Webhook} title={webhooksText.notFound}>
        {webhooksText.notFoundHint}
      </EmptyState>
    );
  return (
    <Page
      title={webhooksText.endpoint}
      asCode={() => ({ operation: "getWebhookEndpoint", path: { id } })}
      back={{ label: webhooksText.title, to: "/o/$organisation/$environment/webhooks" }}
      aside={endpoint.data && <EndpointStatus endpoint={endpoint.data} />}
    >
      {endpoint.data ? (
        <>
          <About place={place} endpoint={endpoint.data} />
          <Deliveries place={place} endpointId={id} />
        </>
      ) : endpoint.error ? (
        <FailureNotice error={endpoint.error} />
      ) : (
        <RowSkeletons count={4} />
      )}
    </Page>
  );
}

function About({ place, endpoint }: { place: OpenPlace; endpoint: WebhookEndpoint }) {
  const { url, description, event_types, failing_since, status } = endpoint;
  const [opened, setOpened] = useState<"change" | "remove" | "rotate">();
  const queries = useQueryClient();
  const close = (): void => setOpened(undefined);
  const toggle = useMutation({
    mutationFn: () =>
      withSession(() =>
        place.client.webhookEndpoints.change(endpoint.id, {
          status: status === "active" ? "disabled" : "active",
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [place.organisation, place.environment] }),
  });
  return (
    <section
      aria-label={webhooksText.details}
      className="grid gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <div className="grid gap-1">
        <p className="font-mono text-sm break-all">{url}</p>
        {description && <p className="text-sm">{description}</p>}
        <p className="text-xs text-ink-2">
          {event_types.length === 0
            ? webhooksText.receivesAll
            : webhooksText.receives(event_types.join(", "))}
          {failing_since && (
            <span className="text-warn">
              {" "}
              {webhooksText.failingSince} <RelativeTime at={failing_since} />.
            </span>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => setOpened("change")}>
          {sharedText.change}
        </Button>
        <Button size="small" isPending={toggle.isPending} onClick={() => toggle.mutate()}>
          {status === "active" ? webhooksText.stop : webhooksText.start}
        </Button>
        <Button size="small" onClick={() => setOpened("rotate")}>
          {webhooksText.newSecret}
        </Button>
        <Button size="small" onClick={() => setOpened("remove")}>
          {sharedText.remove}
        </Button>
      </div>
      {opened === "change" && <EndpointDialog place={place} endpoint={endpoint} onClose={close} />}
      {opened === "remove" && <RemoveDialog place={place} endpoint={endpoint} onClose={close} />}
      {opened === "rotate" && <NewSecretDialog place={place} endpoint={endpoint} onClose={close} />}
    </section>
  );
}

interface EndpointDialogProps {
  place: OpenPlace;
  endpoint: WebhookEndpoint;
  onClose(): void;
}

function RemoveDialog({ place, endpoint, onClose }: EndpointDialogProps) {
  const { organisation, environment } = place;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => withSession(() => place.client.webhookEndpoints.delete(endpoint.id)),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      await navigate({
        to: "/o/$organisation/$environment/webhooks",
        params: { organisation, environment },
      });
      await queries.invalidateQueries({ queryKey: [organisation, environment, "webhook-endpoints"] });
    },
  });
  return (
    <ConfirmDialog
      title={webhooksText.removeTitle}
      action={webhooksText.removeEndpoint}
      mutation={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      asCode={() => ({ operation: "deleteWebhookEndpoint", path: { id: endpoint.id } })}
    >
      <p>{webhooksText.removeHint(endpoint.url)}</p>
    </ConfirmDialog>
  );
}

function NewSecretDialog({ place, endpoint, onClose }: EndpointDialogProps) {
  const rotate = useMutation({
    mutationFn: () => withSession(() => place.client.webhookEndpoints.rotateSecret(endpoint.id)),
    meta: { isShownInPlace: true },
  });
  return (
    <FormDialog
      made={
        rotate.data
          ? { title: webhooksText.newSecret, secret: rotate.data.secret, label: webhooksText.secret }
          : undefined
      }
      onClose={onClose}
      title={webhooksText.newSecret}
      description={webhooksText.secretHint}
      asCode={() => ({ operation: "rotateWebhookSecret", path: { id: endpoint.id } })}
      action={webhooksText.createSecret}
      mutation={rotate}
      onSubmit={(event) => {
        event.preventDefault();
        rotate.mutate();
      }}
    />
  );
}
