import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { failureOf } from "../failure.ts";
import { RequestId } from "./RequestId.tsx";

/** Inline error message. */
export function FailureNotice({ error, action }: { error: unknown; action?: ReactNode }) {
  const { title, detail, requestId } = failureOf(error);
  return (
    <div role="alert" className="flex gap-2.5 rounded-lg border border-bad/40 bg-bad-soft p-3 text-sm">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
      <div className="grid min-w-0 grid-cols-1 gap-0.5">
        <p className="font-medium">{title}</p>
        <p className="break-words">{detail}</p>
        {requestId && <RequestId id={requestId} />}
        {action && <div className="mt-2">{action}</div>}
      </div>
    </div>
  );
}
