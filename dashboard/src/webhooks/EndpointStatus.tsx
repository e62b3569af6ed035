import type { WebhookEndpoint } from "@dialplane/sdk";
import { CircleCheck, CirclePause, CircleX, TriangleAlert } from "lucide-react";

/** Whether it takes what it is sent: a shape and words. */
export function EndpointStatus({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { status, disabled_reason, failing_since } = endpoint;
  const [Icon, look, says] =
    status === "disabled"
      ? disabled_reason
        ? ([
            CircleX,
            "text-bad",
            disabled_reason === "gone" ? "Stopped: it answered 410" : "Stopped: unreachable",
          ] as const)
        : ([CirclePause, "text-muted", "Stopped"] as const)
      : failing_since
        ? ([TriangleAlert, "text-warn", "Failing"] as const)
        : ([CircleCheck, "text-good", "Active"] as const);
  return (
    <span className="inline-flex items-center gap-1.5 text-xs font-medium whitespace-nowrap">
      <Icon aria-hidden className={`size-3.5 ${look}`} />
      {says}
    </span>
  );
}
