import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { CheckField } from "../components/CheckField.tsx";
import { Dialog } from "../components/Dialog.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Secret } from "../components/Secret.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { TextField } from "../components/TextField.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

const SCOPES = [
  { scope: "numbers", label: "Read", hint: "Numbers, inventory, usage, calls and routing." },
  { scope: "numbers_write", label: "Set routing", hint: "Where calls go. Does not read by itself." },
  { scope: "full", label: "Both", hint: "What only people may do, such as ordering, is never among it." },
] as const;

interface KeyValues {
  name: string;
  scopes: ("numbers" | "numbers_write" | "full")[];
  days: string;
  networks: string;
}

/** Ends with the key itself, shown this once. */
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
      <Dialog isOpen onClose={onClose} title={`“${create.data.name}” is made`}>
        <div className="grid gap-4">
          <Secret text={create.data.secret} label="key" />
          <Button look="primary" className="justify-self-end" onClick={onClose}>
            I have it
          </Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Create a ${place.environment} key`}
      description={`It works in ${place.name}, on the ${place.environment} side, and nowhere else.`}
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

function KeyForm({ isPending, error, onSubmit, onCancel }: KeyFormProps) {
  const form = useForm<KeyValues>({
    defaultValues: { name: "", scopes: ["numbers"], days: "90", networks: "" },
  });
  const { errors } = form.formState;
  return (
    <form className="grid gap-5" noValidate onSubmit={(event) => void form.handleSubmit(onSubmit)(event)}>
      <TextField
        label="Name"
        hint="Which program uses it."
        maxLength={100}
        autoFocus
        error={errors.name?.message}
        {...form.register("name", { validate: (name) => name.trim() !== "" || "Give it a name." })}
      />
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-medium">What it may do</legend>
        {SCOPES.map(({ scope, label, hint }) => (
          <CheckField
            key={scope}
            label={label}
            hint={hint}
            value={scope}
            {...form.register("scopes", {
              validate: (scopes) => scopes.length > 0 || "Choose at least one.",
            })}
          />
        ))}
        {errors.scopes && <p className="text-xs text-bad">{errors.scopes.message}</p>}
      </fieldset>
      <SelectField label="Ends after" {...form.register("days")}>
        <option value="30">30 days</option>
        <option value="90">90 days</option>
        <option value="365">a year</option>
        <option value="">never by itself</option>
      </SelectField>
      <TextField
        label="Only from these networks"
        hint="Optional, such as 203.0.113.0/24."
        {...form.register("networks")}
      />
      {error != null && <FailureNotice error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" isPending={isPending}>
          Create
        </Button>
      </div>
    </form>
  );
}
