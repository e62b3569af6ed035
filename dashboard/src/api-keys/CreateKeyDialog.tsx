import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm, type UseFormReturn } from "react-hook-form";
import { CheckField } from "../components/CheckField.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { TextField } from "../components/TextField.tsx";
import { useFieldErrors } from "../components/use-field-errors.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { apiKeysText } from "./api-keys-text.ts";
import { sharedText } from "../components/shared-text.ts";

const SCOPES = ["numbers", "numbers_write", "full", "audit"] as const;

interface KeyValues {
  name: string;
  scopes: (typeof SCOPES)[number][];
  days: string;
  networks: string;
}

/** Shows the key once, at the end. */
export function CreateKeyDialog({ place, onClose }: { place: OpenPlace; onClose(): void }) {
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: ({ name, scopes, days, networks }: KeyValues) =>
      withSession(() =>
        place.client.apiKeys.create({
          name: name.trim(),
          scopes,
          expires_in_days: days === "" ? null : Number(days),
          allowed_networks: networks.split(/[\s,]+/).filter(Boolean),
        }),
      ),
    meta: { isShownInPlace: true },
    onSuccess: () =>
      queries.invalidateQueries({ queryKey: [place.organisation, place.environment, "api-keys"] }),
  });
  const form = useForm<KeyValues>({
    defaultValues: { name: "", scopes: ["numbers"], days: "90", networks: "" },
  });
  useFieldErrors(form, create.error, { toField: toKeyField });
  return (
    <FormDialog
      made={
        create.data
          ? {
              title: apiKeysText.created(create.data.name),
              secret: create.data.secret,
              label: apiKeysText.key,
            }
          : undefined
      }
      onClose={onClose}
      title={apiKeysText.createTitle(place.environment)}
      description={apiKeysText.createHint(place.name, place.environment)}
      asCode={() => ({ operation: "createApiKey" })}
      action={sharedText.create}
      mutation={create}
      onSubmit={form.handleSubmit((values) => create.mutate(values))}
    >
      <KeyFields form={form} />
    </FormDialog>
  );
}

/** Names of the fields that differ from those of the request. */
const KEY_FIELDS: Record<string, string> = { allowed_networks: "networks", expires_in_days: "days" };

function toKeyField([first = "", ...rest]: readonly string[]): readonly string[] {
  return [KEY_FIELDS[first] ?? first, ...rest];
}

function KeyFields({ form }: { form: UseFormReturn<KeyValues> }) {
  const { errors } = form.formState;
  return (
    <>
      <TextField
        label={sharedText.name}
        hint={apiKeysText.nameHint}
        maxLength={100}
        autoFocus
        error={errors.name?.message}
        {...form.register("name", { validate: (name) => name.trim() !== "" || sharedText.nameRequired })}
      />
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-medium">{apiKeysText.scopes}</legend>
        {SCOPES.map((scope) => (
          <CheckField
            key={scope}
            label={apiKeysText.scopeLabels[scope]}
            hint={apiKeysText.scopeHints[scope]}
            value={scope}
            {...form.register("scopes", {
              validate: (scopes) => scopes.length > 0 || apiKeysText.scopesRequired,
            })}
          />
        ))}
        {errors.scopes && <p className="text-xs text-bad">{errors.scopes.message}</p>}
      </fieldset>
      <SelectField label={apiKeysText.expiresAfter} {...form.register("days")}>
        <option value="30">{apiKeysText.expiry.days30}</option>
        <option value="90">{apiKeysText.expiry.days90}</option>
        <option value="365">{apiKeysText.expiry.year}</option>
        <option value="">{apiKeysText.expiry.never}</option>
      </SelectField>
      <TextField
        label={apiKeysText.networks}
        hint={apiKeysText.networksHint}
        error={errors.networks?.message}
        {...form.register("networks")}
      />
    </>
  );
}
