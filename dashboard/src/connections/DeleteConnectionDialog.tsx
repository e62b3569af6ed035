import type { Connection } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { connectionsText } from "./connections-text.ts";

interface DeleteConnectionDialogProps {
  place: OpenPlace;
  connection: Connection;
  onClose(): void;
}

export function DeleteConnectionDialog({ place, connection, onClose }: DeleteConnectionDialogProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => withSession(() => place.client.connections.delete(connection.id)),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(connectionsText.deleted(connection.name));
      onClose();
      await queries.invalidateQueries({ queryKey: [place.organisation, place.environment] });
    },
  });
  return (
    <ConfirmDialog
      title={connectionsText.deleteTitle(connection.name)}
      action={connectionsText.deleteConnection}
      mutation={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      asCode={() => ({ operation: "deleteConnection", path: { id: connection.id } })}
    >
      <p>
        {connection.in_use_by > 0
          ? connectionsText.deleteInUse(connection.in_use_by)
          : connectionsText.deleteHint}
      </p>
    </ConfirmDialog>
  );
}
