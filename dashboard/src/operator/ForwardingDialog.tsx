import type { Forwarding } from "@dialplane/sdk/operator";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useController, useForm, type UseFormReturn } from "react-hook-form";
import { CheckField } from "../components/CheckField.tsx";
import { ChoiceField } from "../components/ChoiceField.tsx";
import { Differences } from "../components/Differences.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { sharedText } from "../components/shared-text.ts";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import {
  bodyOf,
  type Caller,
  differencesOf,
  type ForwardingValues,
  LIMIT_LABELS,
  limitFault,
  type LimitName,
  LIMITS,
  numberFault,
  valuesOf,
  warningOf,
} from "./forwarding-form.ts";
import { forwardingText } from "./forwarding-text.ts";
import { forwardingQuery } from "./organisations-list.ts";

interface ForwardingDialogProps {
  name: string;
  /** Refreshed while the dialog is open, so that the changes include those of another operator. */
  limits: Forwarding;
  onClose(): void;
}

const NAMES = Object.keys(LIMITS) as LimitName[];
const CALLERS = Object.entries(forwardingText.callers).map(([value, label]) => ({ value, label }));

export function ForwardingDialog({ name, limits, onClose }: ForwardingDialogProps) {
  const { organisation_id: id } = limits;
  const form = useForm({ defaultValues: valuesOf(limits) });
  const save = useSaving(id, onClose);
  const values = form.watch();
  const differences = differencesOf(limits, values);
  const warning = warningOf(limits, values);
  return (
    <FormDialog
      onClose={onClose}
      title={forwardingText.dialogTitle(name)}
      description={forwardingText.dialogAbout}
      size="large"
      asCode={() => ({ operation: "setForwarding", path: { id }, body: bodyOf(form.getValues()) })}
      action={sharedText.save}
      isDisabled={differences.length === 0}
      mutation={save}
      onSubmit={form.handleSubmit((wanted) => save.mutate(wanted))}
    >
      <div className="grid gap-2">
        <div className="grid gap-4 sm:grid-cols-3">
          {NAMES.map((one, at) => (
            <LimitField key={one} form={form} name={one} isFirst={at === 0} />
          ))}
        </div>
        <p className="text-xs text-ink-2">{forwardingText.limitHint}</p>
      </div>
      <CallerFields form={form} />
      <Differences differences={differences} />
      {warning && (
        <p role="status" className="flex gap-2 text-sm font-medium">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
          {warning}
        </p>
      )}
    </FormDialog>
  );
}

interface FieldProps {
  form: UseFormReturn<ForwardingValues>;
}

/** Empty without a limit. The number comes back with the limit. */
function LimitField({ form, name, isFirst }: FieldProps & { name: LimitName; isFirst: boolean }) {
  const { isUnlimited } = form.watch(name);
  const { field, fieldState } = useController({
    control: form.control,
    name: `${name}.most`,
    rules: { validate: (_, all) => limitFault(name, all[name]) ?? true },
  });
  const label = LIMIT_LABELS[name];
  return (
    <TextField
      label={label}
      aside={
        <label className="flex items-center gap-1.5 self-center text-xs">
          <input
            type="checkbox"
            aria-label={forwardingText.noLimitOf(label)}
            className="size-4 accent-accent"
            {...form.register(`${name}.isUnlimited`, { onChange: () => form.clearErrors(name) })}
          />
          {forwardingText.noLimit}
        </label>
      }
      inputMode="numeric"
      autoComplete="off"
      maxLength={8}
      autoFocus={isFirst}
      placeholder={isUnlimited ? forwardingText.noLimit : undefined}
      error={fieldState.error?.message}
      {...field}
      value={isUnlimited ? "" : field.value}
      disabled={isUnlimited}
    />
  );
}

function CallerFields({ form }: FieldProps) {
  const caller: Caller = form.watch("caller");
  return (
    <>
      <ChoiceField
        label={forwardingText.callerId}
        hint={forwardingText.callerHints[caller]}
        choices={CALLERS}
        field={form.register("caller")}
      />
      {caller === "fixed" && (
        <TextField
          label={forwardingText.number}
          type="tel"
          className="max-w-xs"
          placeholder={forwardingText.numberExample}
          error={form.formState.errors.caller_number?.message}
          {...form.register("caller_number", {
            validate: (typed, all) => all.caller !== "fixed" || (numberFault(typed) ?? true),
          })}
        />
      )}
      {caller === "pass" ? (
        <CheckField
          key="choice"
          label={forwardingText.keepIdentity}
          hint={forwardingText.keepIdentityHint}
          {...form.register("keepsIdentity")}
        />
      ) : (
        <CheckField
          key="none"
          label={forwardingText.keepIdentity}
          hint={forwardingText.identityDropped}
          disabled
          checked={false}
          readOnly
        />
      )}
    </>
  );
}

function useSaving(id: string, onSaved: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: ForwardingValues) =>
      withSession(() => operator.organisations.setForwarding(id, bodyOf(values))),
    meta: { isShownInPlace: true },
    onSuccess: async (limits) => {
      queries.setQueryData(forwardingQuery(id).queryKey, limits);
      tellDone(forwardingText.saved, forwardingText.savedDetail);
      onSaved();
      await queries.invalidateQueries({ queryKey: forwardingQuery(id).queryKey });
    },
  });
}
