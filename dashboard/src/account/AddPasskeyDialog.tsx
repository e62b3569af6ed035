import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { FormDialog } from "../components/FormDialog.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { client } from "../session/client.ts";
import { makePasskey } from "../session/passkey.ts";
import { passkeysQuery, withSession } from "../session/session.ts";
import { accountText } from "./account-text.ts";
import { sharedText } from "../components/shared-text.ts";

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
      tellDone(accountText.passkeyAdded(name), accountText.passkeyAddedDetail);
      onClose();
      onAdded?.();
      await queries.invalidateQueries(passkeysQuery);
    },
  });
  return (
    <FormDialog
      title={sharedText.passkeyAdd}
      description={accountText.passkeyAddHint}
      action={sharedText.add}
      mutation={add}
      onSubmit={form.handleSubmit(({ name }) => add.mutate(name.trim()))}
      onClose={onClose}
    >
      <TextField
        label={sharedText.name}
        hint={accountText.passkeyNameHint}
        autoFocus
        error={form.formState.errors.name?.message}
        {...form.register("name", { required: sharedText.nameRequired })}
      />
    </FormDialog>
  );
}
