import type { Member } from "@dialplane/sdk";
import { useState } from "react";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import type { OpenPlace } from "../shell/use-place.ts";
import { type KeyPolicy, MemberKeys } from "./MemberKeys.tsx";

interface DemoteDialogProps {
  place: OpenPlace;
  member: Member;
  isPending: boolean;
  error: unknown;
  onConfirm(keys: KeyPolicy): void;
  onClose(): void;
}

/** Plain members cannot create API keys: what happens to those that the person has. */
export function DemoteDialog({ place, member, isPending, error, onConfirm, onClose }: DemoteDialogProps) {
  const [keys, setKeys] = useState<KeyPolicy>("end");
  return (
    <ConfirmDialog
      title={`Make ${member.name} a plain member?`}
      action="Change role"
      isPending={isPending}
      error={error}
      onConfirm={() => onConfirm(keys)}
      onClose={onClose}
      asCode={() => ({
        operation: "changeRole",
        path: { id: member.user_id },
        body: { role: "member", keys },
      })}
    >
      <p>Plain members cannot see or change routing, and cannot create API keys.</p>
      <MemberKeys place={place} member={member} policy={keys} onChange={setKeys} />
    </ConfirmDialog>
  );
}
