import { useId } from "react";
import type { UseFormReturn } from "react-hook-form";
import { CountryField } from "../components/CountryField.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { INPUT_CLASS, TextField } from "../components/TextField.tsx";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { listedNumbers, listError, MOST_NUMBERS, type OrderValues, TYPES } from "./order-form.ts";
import { ordersText } from "./orders-text.ts";

interface OrderFieldsProps {
  form: UseFormReturn<OrderValues>;
}

/** Quantity and criteria. The carrier chooses the numbers. */
export function CriteriaFields({ form }: OrderFieldsProps) {
  const { errors } = form.formState;
  return (
    <fieldset className="grid gap-4 rounded-lg border border-line bg-surface p-4 sm:grid-cols-2">
      <legend className="sr-only">{ordersText.criteria}</legend>
      <CountryField
        anyLabel={ordersText.chooseCountry}
        error={errors.country?.message}
        {...form.register("country", { required: ordersText.countryInvalid })}
      />
      <SelectField label={sharedText.numberType} {...form.register("type")}>
        <option value="">{sharedText.any}</option>
        {TYPES.map((type) => (
          <option key={type} value={type}>
            {wordFor(type)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={ordersText.prefix}
        hint={ordersText.prefixHint}
        inputMode="numeric"
        error={errors.prefix?.message}
        {...form.register("prefix", {
          validate: (text) =>
            text.trim() === "" || /^\+?[1-9][\d\s]{0,13}$/.test(text.trim()) || ordersText.prefixInvalid,
        })}
      />
      <TextField
        label={ordersText.quantity}
        type="number"
        min={1}
        max={MOST_NUMBERS}
        error={errors.quantity?.message}
        {...form.register("quantity", {
          validate: (text) => {
            const count = Number(text);
            return (
              (Number.isInteger(count) && count >= 1 && count <= MOST_NUMBERS) ||
              ordersText.quantityInvalid(MOST_NUMBERS)
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
        {sharedText.numbers}
      </label>
      <textarea
        id={id}
        rows={6}
        placeholder={ordersText.listExample}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-note`}
        className={`${INPUT_CLASS} h-auto py-2 font-mono`}
        {...form.register("numbers", { validate: (text) => listError(text) ?? true })}
      />
      <p id={`${id}-note`} className={`text-xs ${error ? "text-bad" : "text-ink-2"}`}>
        {error ?? ordersText.listHint(count)}
      </p>
    </div>
  );
}
