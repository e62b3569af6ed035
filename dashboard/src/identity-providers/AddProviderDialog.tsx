import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm, type UseFormReturn } from "react-hook-form";
import { CopyButton } from "../components/CopyButton.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import { useOpenPlace } from "../shell/use-place.ts";
import { domainsIn } from "./domains.ts";
import { identityProvidersQuery } from "./identity-providers-query.ts";
import { identityProvidersText } from "./identity-providers-text.ts";
import { sharedText } from "../components/shared-text.ts";
import { useFieldErrors } from "../components/use-field-errors.ts";

interface Values {
  name: string;
  issuer: string;
  client_id: string;
  client_secret: string;
  domains: string;
}

const EMPTY: Values = { name: "", issuer: "", client_id: "", client_secret: "", domains: "" };

export function AddProviderDialog({ onClose }: { onClose(): void }) {
  const place = useOpenPlace();
  const queries = useQueryClient();
  const form = useForm({ defaultValues: EMPTY });
  const add = useMutation({
    mutationFn: ({ domains, ...rest }: Values) =>
      withSession(() => place.client.identityProviders.create({ ...rest, domains: domainsIn(domains) })),
    meta: { isShownInPlace: true },
    onSuccess: async ({ name }) => {
      tellDone(identityProvidersText.added(name), identityProvidersText.addedDetail);
      onClose();
      await queries.invalidateQueries(identityProvidersQuery(place));
    },
  });
  useFieldErrors(form, add.error);
  return (
    <FormDialog
      onClose={onClose}
      title={identityProvidersText.add}
      description={identityProvidersText.addHint}
      asCode={() => ({ operation: "createIdentityProvider" })}
      action={sharedText.add}
      mutation={add}
      onSubmit={form.handleSubmit((values) => add.mutate(values))}
    >
      <RedirectAddress />
      <ProviderFields form={form} />
    </FormDialog>
  );
}

/** Redirect URI to register with the provider. */
function RedirectAddress() {
  const redirectUri = `${location.origin}/sign-in/provider`;
  return (
    <div className="grid gap-1 rounded-lg border border-line bg-surface p-3 text-sm">
      <p className="text-xs text-ink-2">{identityProvidersText.registerRedirectUri}</p>
      <p className="flex items-center gap-1">
        <code className="min-w-0 break-all">{redirectUri}</code>
        <CopyButton text={redirectUri} label={identityProvidersText.copyRedirectUri} />
      </p>
    </div>
  );
}

function ProviderFields({ form }: { form: UseFormReturn<Values> }) {
  const { errors } = form.formState;
  return (
    <>
      <TextField
        label={sharedText.name}
        autoFocus
        error={errors.name?.message}
        {...form.register("name", { required: sharedText.nameRequired })}
      />
      <TextField
        label={identityProvidersText.issuer}
        type="url"
        placeholder={identityProvidersText.issuerExample}
        spellCheck={false}
        error={errors.issuer?.message}
        {...form.register("issuer", { required: identityProvidersText.issuerRequired })}
      />
      <TextField
        label={identityProvidersText.clientId}
        autoComplete="off"
        spellCheck={false}
        error={errors.client_id?.message}
        {...form.register("client_id", { required: identityProvidersText.clientIdRequired })}
      />
      <TextField
        label={identityProvidersText.clientSecret}
        type="password"
        autoComplete="off"
        hint={identityProvidersText.clientSecretHint}
        error={errors.client_secret?.message}
        {...form.register("client_secret", { required: identityProvidersText.clientSecretRequired })}
      />
      <TextField
        label={identityProvidersText.domains}
        placeholder={identityProvidersText.domainsExample}
        hint={identityProvidersText.domainsHint}
        spellCheck={false}
        error={errors.domains?.message}
        {...form.register("domains", {
          validate: (text) => domainsIn(text).length > 0 || identityProvidersText.domainsRequired,
        })}
      />
    </>
  );
}
