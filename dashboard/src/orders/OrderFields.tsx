import { useId } from "react";
import type { UseFormReturn } from "react-hook-form";
import { SelectField } from "../components/SelectField.tsx";
import { INPUT_CLASS, TextField } from "../components/TextField.tsx";
import { wordFor } from "../numbers/words.ts";
import { listedNumbers, listError, MOST_NUMBERS, type OrderValues, TYPES } from "./order-form.ts";

interface OrderFieldsProps {
  form: UseFormReturn<OrderValues>;
}

/** So many that fit; the carrier chooses which. */
export function CriteriaFields({ form }: OrderFieldsProps) {
  const { errors } = form.formState;
  return (
    <fieldset className="grid gap-4 rounded-lg border border-line bg-surface p-4 sm:grid-cols-2">
      <legend className="sr-only">Which numbers</legend>
      <TextField
        label="Country"
        hint="Its two letters, such as GB or US."
        maxLength={2}
        autoCapitalize="characters"
        error={errors.country?.message}
        {...form.register("country", {
          validate: (text) => /^[a-z]{2}$/i.test(text.trim()) || "Enter the country's two letters.",
        })}
      />
      <SelectField label="Kind" {...form.register("type")}>
        <option value="">Any</option>
        {TYPES.map((type) => (
          <option key={type} value={type}>
            {wordFor(type)}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Begins with"
        hint="Optional. The country's code first, such as 4420 for London."
        inputMode="numeric"
        error={errors.prefix?.message}
        {...form.register("prefix", {
          validate: (text) =>
            text.trim() === "" ||
            /^\+?[1-9][\d\s]{0,13}$/.test(text.trim()) ||
            "Digits only, country code first.",
        })}
      />
      <TextField
        label="How many"
        type="number"
        min={1}
        max={MOST_NUMBERS}
        error={errors.quantity?.message}
        {...form.register("quantity", {
          validate: (text) => {
            const count = Number(text);
            return (
              (Number.isInteger(count) && count >= 1 && count <= MOST_NUMBERS) || `1 to ${MOST_NUMBERS}.`
            );
          },
        })}
      />
    </fieldset>
  );
}

/** Field for a list of exact numbers. */
export function ListField({ form }: OrderFieldsProps) {
  const id = useId();
  const error = form.formState.errors.numbers?.message;
  const count = listedNumbers(form.watch("numbers")).length;
  return (
    <div className="grid gap-1.5 rounded-lg border border-line bg-surface p-4">
      <label htmlFor={id} className="text-sm font-medium">
        Numbers
      </label>
      <textarea
        id={id}
        rows={6}
        placeholder={"+44 20 7946 0000\n+44 20 7946 0001"}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-note`}
        className={`${INPUT_CLASS} h-auto py-2 font-mono`}
        {...form.register("numbers", { validate: (text) => listError(text) ?? true })}
      />
      <p id={`${id}-note`} className={`text-xs ${error ? "text-bad" : "text-muted"}`}>
        {error ?? `One to a line or with commas between, with the country code. ${count} so far.`}
      </p>
    </div>
  );
}
