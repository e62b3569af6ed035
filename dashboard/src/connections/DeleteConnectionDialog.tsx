import type { Connection } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

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
      tellDone(`“${connection.name}” is deleted`);
      onClose();
      await queries.invalidateQueries({ queryKey: [place.organisation, place.environment] });
    },
  });
  return (
    <ConfirmDialog
      title={`Delete “${connection.name}”?`}
      action="Delete"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      asCode={() => ({ operation: "deleteConnection", path: { id: connection.id } })}
    >
      <p>
        {connection.in_use_by > 0
          ? "Numbers still point at it, so the service will refuse: send their calls elsewhere first."
          : "No number points at it. It cannot be taken back."}
      </p>
    </ConfirmDialog>
  );
}
