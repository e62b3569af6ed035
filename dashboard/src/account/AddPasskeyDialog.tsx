import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { Dialog } from "../components/Dialog.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { client } from "../session/client.ts";
import { makePasskey } from "../session/passkey.ts";
import { passkeysQuery, withSession } from "../session/session.ts";

interface AddPasskeyDialogProps {
  onClose(): void;
  onAdded?: (() => void) | undefined;
}

export function AddPasskeyDialog({ onClose, onAdded }: AddPasskeyDialogProps) {
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
      onAdded?.();
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
