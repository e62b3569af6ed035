import type { Member } from "@dialplane/sdk";
import { useState } from "react";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import type { OpenPlace } from "../shell/use-place.ts";
import { type KeyPolicy, MemberKeys } from "./MemberKeys.tsx";
import { membersText } from "./members-text.ts";

interface DemoteDialogProps {
  place: OpenPlace;
  member: Member;
  mutation: { isPending: boolean; error: unknown };
  onConfirm(keys: KeyPolicy): void;
  onClose(): void;
}

/** The role member cannot create API keys. Asks what to do with existing ones. */
export function DemoteDialog({ place, member, mutation, onConfirm, onClose }: DemoteDialogProps) {
  const [keys, setKeys] = useState<KeyPolicy>("end");
  return (
    <ConfirmDialog
      title={membersText.demoteTitle(member.name)}
      action={membersText.changeRole}
      mutation={mutation}
      onConfirm={() => onConfirm(keys)}
      onClose={onClose}
      asCode={() => ({
        operation: "changeRole",
        path: { id: member.user_id },
        body: { role: "member", keys },
      })}
    >
      <p>{membersText.demoteHint}</p>
      <MemberKeys place={place} member={member} policy={keys} onChange={setKeys} />
    </ConfirmDialog>
  );
}
