import type { EndUser } from "@dialplane/sdk";
import type { UseFormReturn } from "react-hook-form";
import { TextField } from "../components/TextField.tsx";
import { evidenceText } from "./evidence-text.ts";

export interface EndUserValues {
  name: string;
  company: string;
  registration_number: string;
  email: string;
  phone: string;
}

export const NO_END_USER: EndUserValues = {
  name: "",
  company: "",
  registration_number: "",
  email: "",
  phone: "",
};

/** Without the fields that are empty. */
export function endUserOf(values: EndUserValues): EndUser {
  const given = Object.entries(values)
    .map(([field, text]: [string, string]) => [field, text.trim()])
    .filter(([, text]) => text !== "");
  return { name: values.name.trim(), ...Object.fromEntries(given) };
}

const OPTIONAL = [
  ["company", evidenceText.company],
  ["registration_number", evidenceText.registrationNumber],
  ["email", evidenceText.email],
  ["phone", evidenceText.phone],
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
