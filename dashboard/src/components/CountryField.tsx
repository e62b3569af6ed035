import type { ComponentProps } from "react";
import { COUNTRIES } from "./countries.ts";
import { SelectField } from "./SelectField.tsx";
import { sharedText } from "./shared-text.ts";

interface CountryFieldProps extends Omit<ComponentProps<typeof SelectField>, "label" | "children"> {
  label?: string;
  /** Name of the empty choice. */
  anyLabel: string;
}

/** Country by name. Typing the first letters finds it. */
export function CountryField({ label = sharedText.country, anyLabel, ...select }: CountryFieldProps) {
  return (
    <SelectField label={label} {...select}>
      <option value="">{anyLabel}</option>
      {COUNTRIES.map(({ code, name }) => (
        <option key={code} value={code}>
          {name} ({code})
        </option>
      ))}
    </SelectField>
  );
}
