import { Toast } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { failureOf } from "../failure.ts";
import { RequestId } from "./RequestId.tsx";
import { sharedText } from "./shared-text.ts";

const manager = Toast.createToastManager<{ requestId: string | undefined }>();

/** Shows a success message. */
export function tellDone(title: string, detail?: string): void {
  manager.add({ title, description: detail, type: "done", timeout: 5_000, data: { requestId: undefined } });
}

/** Shows a failure until it is closed, with the request ID for the operator. */
export function tellFailed(error: unknown): void {
  const { title, detail, requestId } = failureOf(error);
  manager.add({
    title,
    description: detail,
    type: "failed",
    timeout: 0,
    priority: "high",
    data: { requestId },
  });
}

export function Toaster() {
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 z-60 grid w-[calc(100vw-2rem)] max-w-sm gap-2">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Toasts() {
  const { toasts } = Toast.useToastManager<{ requestId: string | undefined }>();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="pops rounded-lg border border-line bg-raised p-3 pr-9 shadow-lg"
    >
      <Toast.Content className="flex gap-2.5">
        {toast.type === "failed" ? (
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
        ) : (
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />
        )}
        <div className="grid min-w-0 gap-0.5">
          <Toast.Title className="text-sm font-medium" />
          <Toast.Description className="text-sm break-words text-ink-2" />
          {toast.data?.requestId && <RequestId id={toast.data.requestId} />}
        </div>
      </Toast.Content>
      <Toast.Close
        className="absolute top-2 right-2 grid size-6 place-items-center rounded text-ink-2 hover:bg-hover hover:text-ink"
        aria-label={sharedText.close}
      >
        <X aria-hidden className="size-3.5" />
      </Toast.Close>
    </Toast.Root>
  ));
}
