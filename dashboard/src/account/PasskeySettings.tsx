import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { Dialog } from "../components/Dialog.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { Age } from "../numbers/Age.tsx";
import { dayOf } from "../numbers/words.ts";
import { client } from "../session/client.ts";
import { makePasskey } from "../session/passkey.ts";
import { passkeysQuery, withSession } from "../session/session.ts";

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
              <KeyRound aria-hidden className="size-4 shrink-0 text-muted" />
              <div className="grid min-w-0 grow">
                <p className="truncate text-sm font-medium">{name}</p>
                <p className="text-xs text-muted">
                  added {dayOf(created_at)},{" "}
                  {last_used_at ? (
                    <>
                      used <Age at={last_used_at} />
                    </>
                  ) : (
                    "never used"
                  )}
                </p>
              </div>
              <Button
                size="small"
                aria-label={`Remove ${name}`}
                isPending={remove.isPending && remove.variables === id}
                onClick={() => remove.mutate(id)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button icon={<Plus aria-hidden className="size-4" />} onClick={() => setAdding(true)}>
          Add a passkey
        </Button>
      </div>
      {isAdding && <AddPasskeyDialog onClose={() => setAdding(false)} />}
    </>
  );
}

function AddPasskeyDialog({ onClose }: { onClose(): void }) {
  const queries = useQueryClient();
  const form = useForm({ defaultValues: { name: "" } });
  const add = useMutation({
    mutationFn: async (name: string) => {
      const challenge = await withSession(() => client.call("beginPasskey", {}));
      const credential = await makePasskey(challenge);
      return withSession(() => client.call("addPasskey", { body: { name, credential } }));
    },
    meta: { isShownInPlace: true },
    onSuccess: async ({ name }) => {
      tellDone(`“${name}” is added`, "From now on you can sign in with it alone.");
      onClose();
      await queries.invalidateQueries(passkeysQuery);
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Add a passkey" description="Your browser asks for it next.">
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => void form.handleSubmit(({ name }) => add.mutate(name.trim()))(event)}
      >
        {add.error && <FailureNotice error={add.error} />}
        <TextField
          label="Name"
          hint="So that you know it again, such as “Work laptop”."
          autoFocus
          error={form.formState.errors.name?.message}
          {...form.register("name", { required: "Give it a name." })}
        />
        <Button type="submit" look="primary" isPending={add.isPending}>
          Add
        </Button>
      </form>
    </Dialog>
  );
}
