import type { ApiKey } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FormDialog } from "../components/FormDialog.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { apiKeysText } from "./api-keys-text.ts";

interface ConfirmKeyDialogProps {
  place: OpenPlace;
  apiKey: ApiKey;
  onClose(): void;
}

/** A key that waits for an owner after a restore of the database. */
export function ConfirmKeyDialog({ place, apiKey, onClose }: ConfirmKeyDialogProps) {
  const queries = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => withSession(() => place.client.apiKeys.confirm(apiKey.id)),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(apiKeysText.confirmed(apiKey.name));
      onClose();
      await queries.invalidateQueries({ queryKey: [place.organisation, place.environment, "api-keys"] });
    },
  });
  return (
    <FormDialog
      title={apiKeysText.confirmTitle(apiKey.name)}
      description={apiKeysText.confirmHint}
      action={apiKeysText.confirm}
      mutation={confirm}
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate();
      }}
      onClose={onClose}
      asCode={() => ({ operation: "confirmApiKey", path: { id: apiKey.id } })}
    >
      <p className="text-sm">
        {apiKey.last_used_at ? (
          <>
            {apiKeysText.lastUsed} <RelativeTime at={apiKey.last_used_at} />.
          </>
        ) : (
          apiKeysText.neverUsed
        )}
      </p>
    </FormDialog>
  );
}
