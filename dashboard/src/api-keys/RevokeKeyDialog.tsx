import type { ApiKey } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { apiKeysText } from "./api-keys-text.ts";

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
      tellDone(apiKeysText.revoked(apiKey.name));
      onClose();
      await queries.invalidateQueries({ queryKey: [place.organisation, place.environment, "api-keys"] });
    },
  });
  return (
    <ConfirmDialog
      title={apiKeysText.revokeTitle(apiKey.name)}
      action={apiKeysText.revoke}
      mutation={revoke}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
      asCode={() => ({ operation: "revokeApiKey", path: { id: apiKey.id } })}
    >
      <p>{apiKey.is_shared ? apiKeysText.revokeSharedHint : apiKeysText.revokeHint}</p>
      <p>
        {apiKey.last_used_at ? (
          <>
            {apiKeysText.lastUsed} <RelativeTime at={apiKey.last_used_at} />.
          </>
        ) : (
          apiKeysText.neverUsed
        )}{" "}
        {apiKeysText.cannotUndo}
      </p>
    </ConfirmDialog>
  );
}
