import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { CheckField } from "../components/CheckField.tsx";
import { Dialog } from "../components/Dialog.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Secret } from "../components/Secret.tsx";
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
  if (create.data)
    return (
      <Dialog isOpen onClose={onClose} title={apiKeysText.created(create.data.name)}>
        <div className="grid gap-4">
          <Secret text={create.data.secret} label={apiKeysText.key} />
          <Button look="primary" className="justify-self-end" onClick={onClose}>
            {sharedText.done}
          </Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={apiKeysText.createTitle(place.environment)}
      description={apiKeysText.createHint(place.name, place.environment)}
      asCode={() => ({ operation: "createApiKey" })}
    >
      <KeyForm
        isPending={create.isPending}
        error={create.error}
        onSubmit={(values) => create.mutate(values)}
        onCancel={onClose}
      />
    </Dialog>
  );
}

interface KeyFormProps {
  isPending: boolean;
  error: unknown;
  onSubmit(values: KeyValues): void;
  onCancel(): void;
}

/** Names of the fields that differ from those of the request. */
const KEY_FIELDS: Record<string, string> = { allowed_networks: "networks", expires_in_days: "days" };

function toKeyField([first = "", ...rest]: readonly string[]): readonly string[] {
  return [KEY_FIELDS[first] ?? first, ...rest];
}

function KeyForm({ isPending, error, onSubmit, onCancel }: KeyFormProps) {
  const form = useForm<KeyValues>({
    defaultValues: { name: "", scopes: ["numbers"], days: "90", networks: "" },
  });
  const { errors } = form.formState;
  useFieldErrors(form, error, { toField: toKeyField });
  return (
    <form className="grid gap-5" noValidate onSubmit={(event) => void form.handleSubmit(onSubmit)(event)}>
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
      {error != null && <FailureNotice error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{sharedText.cancel}</Button>
        <Button type="submit" look="primary" isPending={isPending}>
          {sharedText.create}
        </Button>
      </div>
    </form>
  );
}
