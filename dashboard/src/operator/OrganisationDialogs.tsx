import type { Organisation } from "@dialplane/sdk/operator";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CheckField } from "../components/CheckField.tsx";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";

interface OrganisationDialogProps {
  one: Organisation;
  listKey: readonly unknown[];
  onClose(): void;
}

export function SuspendDialog({ one, listKey, onClose }: OrganisationDialogProps) {
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const [suspendsNumbers, setSuspendsNumbers] = useState(false);
  const suspend = useMutation({
    mutationFn: () =>
      withSession(() =>
        operator.organisations.suspend(one.id, {
          ...(reason.trim() && { reason: reason.trim() }),
          suspend_numbers: suspendsNumbers,
        }),
      ),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(`${one.name} is suspended`, suspendsNumbers ? "Its numbers follow one by one." : undefined);
      onClose();
      await queries.invalidateQueries({ queryKey: listKey });
    },
  });
  return (
    <ConfirmDialog
      title={`Suspend ${one.name}?`}
      action="Suspend"
      isPending={suspend.isPending}
      error={suspend.error}
      onConfirm={() => suspend.mutate()}
      onClose={onClose}
    >
      <p>Every request in this organisation is rejected, by session or API key, until you resume it.</p>
      <div className="mt-2 grid gap-4">
        <TextField
          label="Reason"
          hint="Optional. Shown to operators and recorded in the audit log."
          maxLength={500}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <CheckField
          label="Suspend its numbers too"
          hint="Calls to its live numbers are rejected. Otherwise its calls continue."
          checked={suspendsNumbers}
          onChange={({ target }) => setSuspendsNumbers(target.checked)}
        />
      </div>
    </ConfirmDialog>
  );
}

export function ResumeDialog({ one, listKey, onClose }: OrganisationDialogProps) {
  const queries = useQueryClient();
  const resume = useMutation({
    mutationFn: () => withSession(() => operator.organisations.resume(one.id)),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(`${one.name} is active`);
      onClose();
      await queries.invalidateQueries({ queryKey: listKey });
    },
  });
  return (
    <ConfirmDialog
      title={`Resume ${one.name}?`}
      action="Resume"
      isPending={resume.isPending}
      error={resume.error}
      onConfirm={() => resume.mutate()}
      onClose={onClose}
    >
      <p>
        Its requests are accepted again.
        {one.numbers_suspended &&
          " Numbers that were suspended with it are resumed; numbers that were suspended for another reason stay suspended."}
      </p>
    </ConfirmDialog>
  );
}
