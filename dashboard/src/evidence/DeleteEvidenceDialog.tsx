import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { evidenceText } from "./evidence-text.ts";

export interface Deleting {
  what: "address" | "document";
  id: string;
  name: string;
}

interface DeleteEvidenceDialogProps {
  place: OpenPlace;
  deleting: Deleting;
  onClose(): void;
}

export function DeleteEvidenceDialog({ place, deleting, onClose }: DeleteEvidenceDialogProps) {
  const { what, id, name } = deleting;
  const { client, organisation, environment } = place;
  const isAddress = what === "address";
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      withSession(() => (isAddress ? client.addresses.delete(id) : client.documents.delete(id))),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(evidenceText.deleted(name));
      onClose();
      await queries.invalidateQueries({ queryKey: [organisation, environment] });
    },
  });
  return (
    <ConfirmDialog
      title={isAddress ? evidenceText.deleteAddressTitle(name) : evidenceText.deleteDocumentTitle(name)}
      action={isAddress ? evidenceText.deleteAddress : evidenceText.deleteDocument}
      mutation={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      asCode={() =>
        isAddress
          ? { operation: "deleteAddress", path: { id } }
          : { operation: "deleteDocument", path: { id } }
      }
    >
      <p>{evidenceText.deleteHint}</p>
    </ConfirmDialog>
  );
}
