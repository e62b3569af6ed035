import type { Organisation } from "@dialplane/sdk/operator";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CheckField } from "../components/CheckField.tsx";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { organisationsList } from "./organisations-list.ts";
import { operatorText } from "./operator-text.ts";
import { sharedText } from "../components/shared-text.ts";

interface OrganisationDialogProps {
  one: Organisation;
  onClose(): void;
}

/** Suspends the organisation, or resumes a suspended one. */
export function OrganisationDialog(props: OrganisationDialogProps) {
  return props.one.suspended_at ? <ResumeDialog {...props} /> : <SuspendDialog {...props} />;
}

function SuspendDialog({ one, onClose }: OrganisationDialogProps) {
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
      tellDone(
        operatorText.organisations.suspendDone(one.name),
        suspendsNumbers ? operatorText.organisations.suspendDoneDetail : undefined,
      );
      onClose();
      await queries.invalidateQueries({ queryKey: organisationsList.queryKey });
    },
  });
  return (
    <ConfirmDialog
      title={operatorText.organisations.suspendTitle(one.name)}
      action={operatorText.suspend}
      mutation={suspend}
      onConfirm={() => suspend.mutate()}
      onClose={onClose}
    >
      <p>{operatorText.organisations.suspendHint}</p>
      <div className="mt-2 grid gap-4">
        <TextField
          label={sharedText.reason}
          hint={operatorText.organisations.suspendReasonHint}
          maxLength={500}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <CheckField
          label={operatorText.organisations.suspendNumbers}
          hint={operatorText.organisations.suspendNumbersHint}
          checked={suspendsNumbers}
          onChange={({ target }) => setSuspendsNumbers(target.checked)}
        />
      </div>
    </ConfirmDialog>
  );
}

function ResumeDialog({ one, onClose }: OrganisationDialogProps) {
  const queries = useQueryClient();
  const resume = useMutation({
    mutationFn: () => withSession(() => operator.organisations.resume(one.id)),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(operatorText.organisations.resumeDone(one.name));
      onClose();
      await queries.invalidateQueries({ queryKey: organisationsList.queryKey });
    },
  });
  return (
    <ConfirmDialog
      title={operatorText.organisations.resumeTitle(one.name)}
      action={operatorText.resume}
      mutation={resume}
      onConfirm={() => resume.mutate()}
      onClose={onClose}
    >
      <p>
        {operatorText.organisations.resumeHint}{" "}
        {one.numbers_suspended && operatorText.organisations.resumeNumbersHint}
      </p>
    </ConfirmDialog>
  );
}
