import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { dayOf } from "../components/dates.ts";
import { client } from "../session/client.ts";
import { passkeysQuery, withSession } from "../session/session.ts";
import { AddPasskeyDialog } from "./AddPasskeyDialog.tsx";
import { accountText } from "./account-text.ts";
import { sharedText } from "../components/shared-text.ts";

export function PasskeySettings() {
  const queries = useQueryClient();
  const passkeys = useQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  const remove = useMutation({
    mutationFn: (id: string) => withSession(() => client.call("removePasskey", { path: { id } })),
    onSuccess: () => queries.invalidateQueries(passkeysQuery),
  });
  if (passkeys.error) return <FailureNotice error={passkeys.error} />;
  const all = passkeys.data?.data ?? [];
  return (
    <>
      {all.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {all.map(({ id, name, created_at, last_used_at }) => (
            <li key={id} className="flex items-center gap-3 px-4 py-2.5">
              <KeyRound aria-hidden className="size-4 shrink-0 text-ink-2" />
              <div className="grid min-w-0 grow">
                <p className="truncate text-sm font-medium">{name}</p>
                <p className="text-xs text-ink-2">
                  {accountText.passkeyCreated(dayOf(created_at))}{" "}
                  {last_used_at ? (
                    <>
                      {sharedText.used} <RelativeTime at={last_used_at} />
                    </>
                  ) : (
                    sharedText.neverUsed
                  )}
                </p>
              </div>
              <Button
                size="small"
                aria-label={accountText.passkeyRemove(name)}
                isPending={remove.isPending && remove.variables === id}
                onClick={() => remove.mutate(id)}
              >
                {sharedText.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button icon={<Plus aria-hidden className="size-4" />} onClick={() => setAdding(true)}>
          {sharedText.passkeyAdd}
        </Button>
      </div>
      {isAdding && <AddPasskeyDialog onClose={() => setAdding(false)} />}
    </>
  );
}
