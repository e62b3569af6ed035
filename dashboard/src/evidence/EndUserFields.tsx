import type { EndUser } from "@dialplane/sdk";
import type { UseFormReturn } from "react-hook-form";
import { TextField } from "../components/TextField.tsx";
import { evidenceText } from "./evidence-text.ts";

export type EndUserValues = Record<keyof EndUser, string>;

export const NO_END_USER: EndUserValues = {
  name: "",
  company: "",
  registration_number: "",
  vat_id: "",
  email: "",
  phone: "",
  country: "",
  birth_date: "",
  birth_country: "",
  id_number: "",
  tax_id: "",
};

/** Without the fields that are empty. */
export function endUserOf(values: EndUserValues): EndUser {
  const given = Object.entries(values)
    .map(([field, text]: [string, string]) => [
      field,
      isCountry(field) ? text.trim().toUpperCase() : text.trim(),
    ])
    .filter(([, text]) => text !== "");
  return { name: values.name.trim(), ...Object.fromEntries(given) };
}

const isCountry = (field: string): boolean => field === "country" || field === "birth_country";

const OPTIONAL = [
  ["company", evidenceText.company],
  ["registration_number", evidenceText.registrationNumber],
  ["vat_id", evidenceText.vatId],
  ["email", evidenceText.email],
  ["phone", evidenceText.phone],
  ["country", evidenceText.countryOfPerson],
  ["birth_date", evidenceText.birthDate],
  ["birth_country", evidenceText.birthCountry],
  ["id_number", evidenceText.idNumber],
  ["tax_id", evidenceText.taxId],
] as const;

/** Fields of the person or company that uses the numbers. */
export function EndUserFields({ form }: { form: UseFormReturn<EndUserValues> }) {
  return (
    <>
      <TextField
        label={evidenceText.person}
        maxLength={200}
        autoComplete="off"
        error={form.formState.errors.name?.message}
        {...form.register("name", { validate: (text) => text.trim() !== "" || evidenceText.required })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {OPTIONAL.map(([field, label]) => (
          <TextField
            key={field}
            label={label}
            hint={evidenceText.optional}
            maxLength={100}
            autoComplete="off"
            {...form.register(field)}
          />
        ))}
      </div>
    </>
  );
}
