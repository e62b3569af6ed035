import type { ApiKey } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { Age } from "../numbers/Age.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

interface KeyDialogProps {
  place: OpenPlace;
  apiKey: ApiKey;
  onClose(): void;
}

export function RevokeKeyDialog({ place, apiKey, onClose }: KeyDialogProps) {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => withSession(() => place.client.apiKeys.revoke(apiKey.id)),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(`“${apiKey.name}” is revoked`);
      onClose();
      await queries.invalidateQueries({ queryKey: [place.organisation, place.environment, "api-keys"] });
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke “${apiKey.name}”?`}
      action="Revoke"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
      asCode={() => ({ operation: "revokeApiKey", path: { id: apiKey.id } })}
    >
      <p>
        Programs that use it are refused from now on{apiKey.is_shared && ", in every organisation it is in"}.
      </p>
      <p>
        {apiKey.last_used_at ? (
          <>
            It was last used <Age at={apiKey.last_used_at} />.
          </>
        ) : (
          "It was never used."
        )}{" "}
        This cannot be taken back.
      </p>
    </ConfirmDialog>
  );
}
