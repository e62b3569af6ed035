import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { dayOf } from "../components/dates.ts";
import { client } from "../session/client.ts";
import { authenticatorQuery, withSession } from "../session/session.ts";
import { EnrolmentDialog } from "./EnrolmentDialog.tsx";
import { RecoveryCodesDialog } from "./RecoveryCodesDialog.tsx";
import { accountText } from "./account-text.ts";
import { sharedText } from "../components/shared-text.ts";

export function AuthenticatorSettings() {
  const queries = useQueryClient();
  const authenticator = useQuery(authenticatorQuery);
  const [isEnrolling, setEnrolling] = useState(false);
  const [codes, setCodes] = useState<string[]>();
  const refresh = (): Promise<void> => queries.invalidateQueries(authenticatorQuery);
  const renewCodes = useMutation({
    mutationFn: () => withSession(() => client.call("renewRecoveryCodes", {})),
    onSuccess: async ({ recovery_codes }) => {
      setCodes(recovery_codes);
      await refresh();
    },
  });
  const remove = useMutation({
    mutationFn: () => withSession(() => client.call("removeAuthenticator", {})),
    onSuccess: async () => {
      tellDone(accountText.authenticatorRemoved);
      await refresh();
    },
  });
  if (authenticator.error) return <FailureNotice error={authenticator.error} />;
  if (!authenticator.data) return null;
  const { confirmed_at, recovery_codes_left } = authenticator.data;
  return (
    <>
      {confirmed_at ? (
        <div className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-surface px-4 py-3">
          <p className="grow text-sm">
            {accountText.authenticatorSince(dayOf(confirmed_at), recovery_codes_left)}
          </p>
          <Button size="small" isPending={renewCodes.isPending} onClick={() => renewCodes.mutate()}>
            {accountText.newRecoveryCodes}
          </Button>
          <Button size="small" isPending={remove.isPending} onClick={() => remove.mutate()}>
            {sharedText.remove}
          </Button>
        </div>
      ) : (
        <div>
          <Button onClick={() => setEnrolling(true)}>{accountText.setUp}</Button>
        </div>
      )}
      {isEnrolling && (
        <EnrolmentDialog
          onClose={() => setEnrolling(false)}
          onEnrolled={(fresh) => {
            setEnrolling(false);
            setCodes(fresh);
            void refresh();
          }}
        />
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </>
  );
}
