import type { UseFormReturn } from "react-hook-form";
import { CountryField } from "../components/CountryField.tsx";
import { TextField } from "../components/TextField.tsx";
import type { AddressValues } from "./evidence-form.ts";
import { evidenceText } from "./evidence-text.ts";

const REQUIRED = { validate: (text: string) => text.trim() !== "" || evidenceText.required };

/** Fields of a new address. */
export function AddressFields({ form }: { form: UseFormReturn<AddressValues> }) {
  const { errors } = form.formState;
  return (
    <>
      <TextField
        label={evidenceText.name}
        maxLength={200}
        autoComplete="off"
        error={errors.name?.message}
        {...form.register("name", REQUIRED)}
      />
      <TextField
        label={evidenceText.street}
        maxLength={200}
        autoComplete="off"
        error={errors.street?.message}
        {...form.register("street", REQUIRED)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={evidenceText.postalCode}
          maxLength={20}
          autoComplete="off"
          error={errors.postal_code?.message}
          {...form.register("postal_code", REQUIRED)}
        />
        <TextField
          label={evidenceText.city}
          maxLength={100}
          autoComplete="off"
          error={errors.city?.message}
          {...form.register("city", REQUIRED)}
        />
        <TextField
          label={evidenceText.region}
          hint={evidenceText.regionHint}
          maxLength={100}
          autoComplete="off"
          error={errors.region?.message}
          {...form.register("region")}
        />
        <CountryField
          anyLabel={evidenceText.chooseCountry}
          error={errors.country?.message}
          {...form.register("country", REQUIRED)}
        />
      </div>
    </>
  );
}
