import type { Member } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { type KeyPolicy, MemberKeys } from "./MemberKeys.tsx";
import { membersText } from "./members-text.ts";

interface RemoveMemberDialogProps {
  place: OpenPlace;
  member: Member;
  onClose(): void;
}

export function RemoveMemberDialog({ place, member, onClose }: RemoveMemberDialogProps) {
  const queries = useQueryClient();
  const [policy, setPolicy] = useState<KeyPolicy>("end");
  const remove = useMutation({
    mutationFn: () => withSession(() => place.client.members.remove(member.user_id, { keys: policy })),
    meta: { isShownInPlace: true },
    onSuccess: async ({ keys }) => {
      const ending = keys.filter(({ outcome }) => outcome === "expires").length;
      tellDone(membersText.removed(member.name), ending > 0 ? membersText.keysEnding(ending) : undefined);
      onClose();
      await queries.invalidateQueries({ queryKey: [place.organisation] });
    },
  });
  return (
    <ConfirmDialog
      title={membersText.removeTitle(member.name)}
      action={membersText.removeMember}
      mutation={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      asCode={() => ({ operation: "removeMember", path: { id: member.user_id }, query: { keys: policy } })}
    >
      <p>{membersText.removeHint(member.name, place.name)}</p>
      <MemberKeys place={place} member={member} policy={policy} onChange={setPolicy} />
    </ConfirmDialog>
  );
}
