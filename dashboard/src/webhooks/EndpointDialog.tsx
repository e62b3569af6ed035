import type { WebhookEndpoint } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { Dialog } from "../components/Dialog.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { Secret } from "../components/Secret.tsx";
import { TextField } from "../components/TextField.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

interface EndpointValues {
  url: string;
  description: string;
  types: string;
}

interface EndpointDialogProps {
  place: OpenPlace;
  /** The one to change; a new one without it. */
  endpoint: WebhookEndpoint | undefined;
  onClose(): void;
}

export function EndpointDialog({ place, endpoint, onClose }: EndpointDialogProps) {
  const { save, secret } = useSaving(place, endpoint, onClose);
  const form = useForm<EndpointValues>({
    defaultValues: {
      url: endpoint?.url ?? "",
      description: endpoint?.description ?? "",
      types: endpoint?.event_types.join(", ") ?? "",
    },
  });
  if (secret) return <SecretDialog secret={secret} onClose={onClose} />;
  return (
    <FormDialog
      onClose={onClose}
      title={endpoint ? "Change the endpoint" : "Add an endpoint"}
      asCode={() => {
        const body = bodyOf(form.getValues());
        return endpoint
          ? { operation: "changeWebhookEndpoint", path: { id: endpoint.id }, body }
          : { operation: "createWebhookEndpoint", body };
      }}
      action={endpoint ? "Save" : "Add"}
      isPending={save.isPending}
      error={save.error}
      onSubmit={form.handleSubmit((values) => save.mutate(values))}
    >
      <TextField
        label="Address"
        type="url"
        placeholder="https://hooks.example.com/dialplane"
        hint="https, port 443, a public name."
        autoFocus
        error={form.formState.errors.url?.message}
        {...form.register("url", { required: "Enter an https address." })}
      />
      <TextField label="Description" hint="Optional." maxLength={200} {...form.register("description")} />
      <TextField
        label="Events"
        hint="Types separated by commas, such as order.*, routing.drifted. Empty for all events, including types that are added later."
        {...form.register("types")}
      />
    </FormDialog>
  );
}

function bodyOf({ url, description, types }: EndpointValues) {
  return {
    url: url.trim(),
    description: description.trim() || null,
    event_types: types.split(/[\s,]+/).filter(Boolean),
  };
}

function useSaving(place: OpenPlace, endpoint: WebhookEndpoint | undefined, onChanged: () => void) {
  const queries = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const save = useMutation({
    mutationFn: async (values: EndpointValues) => {
      const body = bodyOf(values);
      if (endpoint) await withSession(() => place.client.webhookEndpoints.change(endpoint.id, body));
      else setSecret((await withSession(() => place.client.webhookEndpoints.create(body))).secret);
    },
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      if (endpoint) onChanged();
      await queries.invalidateQueries({ queryKey: [place.organisation, place.environment] });
    },
  });
  return { save, secret };
}

function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <Dialog isOpen onClose={onClose} title="The endpoint is added">
      <div className="grid gap-4">
        <p className="text-sm">Check with this secret that what arrives is from here.</p>
        <Secret text={secret} label="secret" />
        <Button look="primary" className="justify-self-end" onClick={onClose}>
          I have it
        </Button>
      </div>
    </Dialog>
  );
}
