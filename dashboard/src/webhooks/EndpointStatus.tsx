import type { WebhookEndpoint } from "@dialplane/sdk";
import { CircleCheck, CirclePause, CircleX, TriangleAlert } from "lucide-react";
import { webhooksText } from "./webhooks-text.ts";

/** Status of an endpoint, by icon and word. */
export function EndpointStatus({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { status, disabled_reason, failing_since } = endpoint;
  const [Icon, look, says] =
    status === "disabled"
      ? disabled_reason
        ? ([
            CircleX,
            "text-bad",
            disabled_reason === "gone" ? webhooksText.statuses.gone : webhooksText.statuses.unreachable,
          ] as const)
        : ([CirclePause, "text-ink-2", webhooksText.statuses.stopped] as const)
      : failing_since
        ? ([TriangleAlert, "text-warn", webhooksText.statuses.failing] as const)
        : ([CircleCheck, "text-good", webhooksText.statuses.active] as const);
  return (
    <span className="inline-flex items-center gap-1.5 text-xs font-medium whitespace-nowrap">
      <Icon aria-hidden className={`size-3.5 ${look}`} />
      {says}
    </span>
  );
}
