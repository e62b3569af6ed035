import type { WebhookEndpoint } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { FormDialog } from "../components/FormDialog.tsx";
import { TextField } from "../components/TextField.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { EventTypesField } from "./EventTypesField.tsx";
import { webhooksText } from "./webhooks-text.ts";
import { sharedText } from "../components/shared-text.ts";
import { useFieldErrors } from "../components/use-field-errors.ts";

interface EndpointValues {
  url: string;
  description: string;
  types: string[];
}

interface EndpointDialogProps {
  place: OpenPlace;
  /** The object to change. Creates a new one if undefined. */
  endpoint: WebhookEndpoint | undefined;
  onClose(): void;
}

export function EndpointDialog({ place, endpoint, onClose }: EndpointDialogProps) {
  const { save, secret } = useSaving(place, endpoint, onClose);
  const form = useForm<EndpointValues>({
    defaultValues: {
      url: endpoint?.url ?? "",
      description: endpoint?.description ?? "",
      types: [...(endpoint?.event_types ?? [])],
    },
  });
  useFieldErrors(form, save.error, { toField: toEndpointField });
  return (
    <FormDialog
      made={
        secret
          ? { title: webhooksText.added, secret, label: webhooksText.secret, hint: webhooksText.addedHint }
          : undefined
      }
      onClose={onClose}
      title={endpoint ? webhooksText.changeTitle : webhooksText.add}
      asCode={() => {
        const body = bodyOf(form.getValues());
        return endpoint
          ? { operation: "changeWebhookEndpoint", path: { id: endpoint.id }, body }
          : { operation: "createWebhookEndpoint", body };
      }}
      action={endpoint ? sharedText.save : sharedText.add}
      mutation={save}
      onSubmit={form.handleSubmit((values) => save.mutate(values))}
    >
      <TextField
        label={webhooksText.url}
        type="url"
        placeholder={webhooksText.urlExample}
        hint={webhooksText.urlHint}
        autoFocus
        error={form.formState.errors.url?.message}
        {...form.register("url", {
          required: webhooksText.urlRequired,
          pattern: { value: /^\s*https?:\/\/[^\s/]+/i, message: webhooksText.urlInvalid },
        })}
      />
      <TextField
        label={webhooksText.description}
        hint={sharedText.optional}
        maxLength={200}
        error={form.formState.errors.description?.message}
        {...form.register("description")}
      />
      <EventTypesField value={form.watch("types")} onChange={(types) => form.setValue("types", types)} />
    </FormDialog>
  );
}

/** The types are chosen one by one, so an error concerns their whole list. */
function toEndpointField([first = "", ...rest]: readonly string[]): readonly string[] {
  return first === "event_types" ? ["types"] : [first, ...rest];
}

function bodyOf({ url, description, types }: EndpointValues) {
  return {
    url: url.trim(),
    description: description.trim() || null,
    event_types: types,
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
