import type { ChangeIdentityProvider, IdentityProvider } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { FormDialog } from "../components/FormDialog.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import { useOpenPlace } from "../shell/use-place.ts";
import { domainsIn } from "./domains.ts";
import { identityProvidersQuery } from "./identity-providers-query.ts";
import { identityProvidersText } from "./identity-providers-text.ts";
import { sharedText } from "../components/shared-text.ts";

interface ChangeProviderDialogProps {
  provider: IdentityProvider;
  onClose(): void;
}

/** Settings that can change without identifying other users by the same subjects. */
export function ChangeProviderDialog({ provider, onClose }: ChangeProviderDialogProps) {
  const form = useForm({
    defaultValues: {
      name: provider.name,
      client_secret: "",
      domains: provider.domains.map(({ domain }) => domain).join(", "),
    },
  });
  const { errors, isDirty } = form.formState;
  const change = useSaving(provider.id, onClose);
  const submit = form.handleSubmit(({ name, client_secret, domains }) =>
    change.mutate({
      name: name.trim(),
      domains: domainsIn(domains),
      ...(client_secret && { client_secret }),
    }),
  );
  return (
    <FormDialog
      onClose={onClose}
      title={identityProvidersText.changeTitle(provider.name)}
      description={identityProvidersText.changeHint}
      asCode={() => ({ operation: "changeIdentityProvider" })}
      action={sharedText.save}
      isDisabled={!isDirty}
      mutation={change}
      onSubmit={submit}
    >
      <TextField
        label={sharedText.name}
        maxLength={100}
        error={errors.name?.message}
        {...form.register("name", { validate: (name) => name.trim() !== "" || sharedText.nameRequired })}
      />
      <TextField
        label={identityProvidersText.newClientSecret}
        type="password"
        autoComplete="off"
        hint={identityProvidersText.newClientSecretHint}
        {...form.register("client_secret")}
      />
      <TextField
        label={identityProvidersText.domains}
        hint={identityProvidersText.newDomainsHint}
        spellCheck={false}
        error={errors.domains?.message}
        {...form.register("domains", {
          validate: (text) => domainsIn(text).length > 0 || identityProvidersText.domainsRequired,
        })}
      />
    </FormDialog>
  );
}

function useSaving(id: string, onSaved: () => void) {
  const place = useOpenPlace();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangeIdentityProvider) =>
      withSession(() => place.client.identityProviders.change(id, body)),
    meta: { isShownInPlace: true },
    onSuccess: async ({ name }) => {
      tellDone(identityProvidersText.saved(name));
      onSaved();
      await queries.invalidateQueries(identityProvidersQuery(place));
    },
  });
}
