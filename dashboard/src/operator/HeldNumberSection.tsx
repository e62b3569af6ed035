import type { HeldNumber } from "@dialplane/sdk/operator";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { Button } from "../components/Button.tsx";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Section } from "../components/Section.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { StatusMark } from "./StatusMark.tsx";
import { operatorText } from "./operator-text.ts";

/** Shows the holder of a number, and can stop its calls. */
export function HeldNumberSection() {
  const [number, setNumber] = useState<HeldNumber>();
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState("");
  const find = useMutation({
    mutationFn: (e164: string) => withSession(() => operator.numbers.find(e164)),
    meta: { isShownInPlace: true },
    onMutate: () => setNumber(undefined),
    onSuccess: setNumber,
  });
  return (
    <Section title={operatorText.heldNumbers.title}>
      <form
        className="flex max-w-md items-end gap-2"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          find.mutate(typed.replaceAll(/[^+0-9]/g, ""));
        }}
      >
        <TextField
          label={operatorText.heldNumbers.number}
          type="tel"
          placeholder={operatorText.heldNumbers.numberExample}
          className="grow"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit" isPending={find.isPending}>
          {operatorText.heldNumbers.find}
        </Button>
      </form>
      {find.error && <FailureNotice error={find.error} />}
      {find.isSuccess && !number && (
        <p role="status" className="text-sm text-ink-2">
          {operatorText.heldNumbers.none}
        </p>
      )}
      {number && <Found number={number} onAct={() => setAsking(true)} />}
      {number && isAsking && (
        <SuspensionDialog number={number} onChanged={setNumber} onClose={() => setAsking(false)} />
      )}
    </Section>
  );
}

function Found({ number, onAct }: { number: HeldNumber; onAct(): void }) {
  const { e164, status, status_reason, organisation } = number;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface p-4">
      <div className="grid min-w-0 grow basis-48">
        <p className="font-medium tabular-nums">
          <PhoneNumber e164={e164} />
        </p>
        <p className="truncate text-xs text-ink-2">{organisation.name}</p>
      </div>
      <StatusMark look={status === "active" ? "active" : "stopped"}>
        {wordFor(status) + (status_reason ? `: ${status_reason}` : "")}
      </StatusMark>
      {status !== "releasing" && (
        <Button size="small" onClick={onAct}>
          {status === "active" ? operatorText.suspend : operatorText.resume}
        </Button>
      )}
    </div>
  );
}

interface SuspensionDialogProps {
  number: HeldNumber;
  onChanged(number: HeldNumber): void;
  onClose(): void;
}

function SuspensionDialog({ number, onChanged, onClose }: SuspensionDialogProps) {
  const isSuspending = number.status === "active";
  const [reason, setReason] = useState("");
  const change = useMutation({
    mutationFn: () =>
      withSession(() =>
        isSuspending
          ? operator.numbers.suspend(number.id, reason.trim() ? { reason: reason.trim() } : {})
          : operator.numbers.resume(number.id),
      ),
    meta: { isShownInPlace: true },
    onSuccess: (changed) => {
      tellDone(operatorText.heldNumbers.changed(changed.e164, changed.status));
      onClose();
      onChanged(changed);
    },
  });
  return (
    <ConfirmDialog
      title={
        isSuspending
          ? operatorText.heldNumbers.suspendTitle(number.e164)
          : operatorText.heldNumbers.resumeTitle(number.e164)
      }
      action={isSuspending ? operatorText.suspend : operatorText.resume}
      mutation={change}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      <p>
        {isSuspending
          ? operatorText.heldNumbers.suspendHint(number.organisation.name)
          : operatorText.heldNumbers.resumeHint(number.organisation.name)}
      </p>
      {isSuspending && (
        <TextField
          label={sharedText.reason}
          hint={operatorText.heldNumbers.reasonHint}
          maxLength={64}
          className="mt-2"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
    </ConfirmDialog>
  );
}
