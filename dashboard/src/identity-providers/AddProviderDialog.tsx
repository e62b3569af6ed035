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
      tellDone(`“${name}” is added`, "Prove its domains next; people can sign in once one is proved.");
      onClose();
      await queries.invalidateQueries(identityProvidersQuery(place));
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Add a provider"
      description="Register this service there first; it gives you a client ID and a secret."
      asCode={() => ({ operation: "createIdentityProvider" })}
      action="Add"
      isPending={add.isPending}
      error={add.error}
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
      <p className="text-xs text-muted">Redirect address to enter there</p>
      <p className="flex items-center gap-1">
        <code className="min-w-0 break-all">{redirectUri}</code>
        <CopyButton text={redirectUri} label="Copy the redirect address" />
      </p>
    </div>
  );
}

function ProviderFields({ form }: { form: UseFormReturn<Values> }) {
  const { errors } = form.formState;
  return (
    <>
      <TextField
        label="Name"
        autoFocus
        error={errors.name?.message}
        {...form.register("name", { required: "Give it a name." })}
      />
      <TextField
        label="Issuer"
        type="url"
        placeholder="https://login.example.com"
        spellCheck={false}
        error={errors.issuer?.message}
        {...form.register("issuer", { required: "Enter the issuer, as the provider writes it." })}
      />
      <TextField
        label="Client ID"
        autoComplete="off"
        spellCheck={false}
        error={errors.client_id?.message}
        {...form.register("client_id", { required: "Enter the client ID." })}
      />
      <TextField
        label="Client secret"
        type="password"
        autoComplete="off"
        hint="Kept sealed; it is never shown again."
        error={errors.client_secret?.message}
        {...form.register("client_secret", { required: "Enter the client secret." })}
      />
      <TextField
        label="Domains of your addresses"
        placeholder="example.com"
        hint="Several with commas between them."
        spellCheck={false}
        error={errors.domains?.message}
        {...form.register("domains", {
          validate: (text) => domainsIn(text).length > 0 || "Enter one at least.",
        })}
      />
    </>
  );
}
