import type { Member } from "../../../sdk/src/index.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

interface RemoveMemberDialogProps {
  place: OpenPlace;
  member: Member;
  onClose(): void;
}

export function RemoveMemberDialog({ place, member, onClose }: RemoveMemberDialogProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => withSession(() => place.client.members.remove(member.user_id)),
    meta: { isShownInPlace: true },
    onSuccess: async ({ keys }) => {
      const ending = keys.filter(({ outcome }) => outcome === "expires").length;
      tellDone(
        `${member.name} is removed`,
        ending > 0 ? `${ending} keys they made end within a day: replace them.` : undefined,
      );
      onClose();
      await queries.invalidateQueries({ queryKey: [place.organisation] });
    },
  });
  return (
    <ConfirmDialog
      title={`Remove ${member.name}?`}
      action="Remove"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      asCode={() => ({ operation: "removeMember", path: { id: member.user_id } })}
    >
      <p>
        {member.name} can no longer see or change anything of {place.name}. Their account stays theirs.
      </p>
      <p>API keys they made here go on for a day and then end; rotate those you need before that.</p>
    </ConfirmDialog>
  );
}
