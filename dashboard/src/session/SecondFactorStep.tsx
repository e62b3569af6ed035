import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Smartphone } from "lucide-react";
import { useState } from "react";
import { AddPasskeyDialog } from "../account/AddPasskeyDialog.tsx";
import { EnrolmentDialog } from "../account/EnrolmentDialog.tsx";
import { RecoveryCodesDialog } from "../account/RecoveryCodesDialog.tsx";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { client } from "./client.ts";
import { CodeForm } from "./CodeForm.tsx";
import { HAS_PASSKEYS, provePasskey } from "./passkey.ts";
import { authenticatorQuery, meQuery, passkeysQuery } from "./session.ts";
import { sessionText } from "./session-text.ts";
import { sharedText } from "../components/shared-text.ts";

/** Adds a second factor or confirms an existing one, for the current session. */
export function SecondFactorStep({ onDone }: { onDone(): void }) {
  const queries = useQueryClient();
  const authenticator = useQuery(authenticatorQuery);
  const passkeys = useQuery(passkeysQuery);
  // Recovery codes are shown once: a refetch that finds the new app must not replace the dialog that shows them.
  const [isEnrolling, setEnrolling] = useState(false);
  const finish = async (): Promise<void> => {
    await queries.invalidateQueries(meQuery);
    onDone();
    await Promise.all([
      queries.invalidateQueries(authenticatorQuery),
      queries.invalidateQueries(passkeysQuery),
    ]);
  };
  const error = authenticator.error ?? passkeys.error;
  if (error) return <FailureNotice error={error} />;
  if (!authenticator.data || !passkeys.data)
    return (
      <p role="status" className="text-sm text-ink-2">
        {sharedText.loading}
      </p>
    );
  const hasApp = authenticator.data.confirmed_at !== null;
  const hasPasskey = passkeys.data.data.length > 0;
  return (hasApp || hasPasskey) && !isEnrolling ? (
    <Confirm {...{ hasApp, hasPasskey }} onDone={() => void finish()} />
  ) : (
    <Enrol onBegin={() => setEnrolling(true)} onDone={() => void finish()} />
  );
}

function Enrol({ onBegin, onDone }: { onBegin(): void; onDone(): void }) {
  const [opened, setOpened] = useState<"app" | "passkey">();
  const [codes, setCodes] = useState<string[]>();
  const close = (): void => setOpened(undefined);
  const open = (factor: typeof opened): void => {
    onBegin();
    setOpened(factor);
  };
  return (
    <div className="grid gap-3">
      <Button look="primary" icon={<Smartphone aria-hidden className="size-4" />} onClick={() => open("app")}>
        {sharedText.authenticatorSetUp}
      </Button>
      {HAS_PASSKEYS && (
        <Button icon={<KeyRound aria-hidden className="size-4" />} onClick={() => open("passkey")}>
          {sharedText.passkeyAdd}
        </Button>
      )}
      {opened === "app" && (
        <EnrolmentDialog
          onClose={close}
          onEnrolled={(fresh) => {
            close();
            setCodes(fresh);
          }}
        />
      )}
      {opened === "passkey" && <AddPasskeyDialog onClose={close} onAdded={onDone} />}
      {codes && <RecoveryCodesDialog codes={codes} onClose={onDone} />}
    </div>
  );
}

function Confirm({ hasApp, hasPasskey, onDone }: { hasApp: boolean; hasPasskey: boolean; onDone(): void }) {
  const byCode = useMutation({
    mutationFn: (code: string) => client.call("reauthenticateWithCode", { body: { code } }),
    meta: { isShownInPlace: true },
    onSuccess: onDone,
  });
  const byPasskey = useMutation({
    mutationFn: async () => {
      const credential = await provePasskey(await client.call("askForPasskey", {}));
      await client.call("reauthenticateWithPasskey", { body: { credential } });
    },
    meta: { isShownInPlace: true },
    onSuccess: onDone,
  });
  return (
    <div className="grid gap-3">
      {hasApp && (
        <CodeForm
          action={sharedText.confirm}
          isPending={byCode.isPending}
          error={byCode.error}
          onCode={(code) => byCode.mutate(code)}
        />
      )}
      {byPasskey.error && <FailureNotice error={byPasskey.error} />}
      {hasPasskey && (
        <Button
          look={hasApp ? "plain" : "primary"}
          icon={<KeyRound aria-hidden className="size-4" />}
          isPending={byPasskey.isPending}
          onClick={() => byPasskey.mutate()}
        >
          {sessionText.usePasskey}
        </Button>
      )}
    </div>
  );
}
