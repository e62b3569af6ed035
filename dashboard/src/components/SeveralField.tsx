import { X } from "lucide-react";
import { SelectField } from "./SelectField.tsx";
import { sharedText } from "./shared-text.ts";

export interface Option {
  value: string;
  label: string;
}

interface SeveralFieldProps {
  label: string;
  hint: string;
  error?: string | undefined;
  /** First entry of the list, such as "Add a country…". */
  addLabel: string;
  options: readonly Option[];
  value: readonly string[];
  onChange(value: string[]): void;
}

/** Several values of a known list. Typing the first letters finds one. */
export function SeveralField({ label, hint, error, addLabel, options, value, onChange }: SeveralFieldProps) {
  const labelOf = (one: string): string => options.find((option) => option.value === one)?.label ?? one;
  return (
    <div className="grid gap-2">
      <SelectField
        label={label}
        hint={hint}
        error={error}
        value=""
        onChange={({ target }) => onChange([...value, target.value])}
      >
        <option value="">{addLabel}</option>
        {options
          .filter((option) => !value.includes(option.value))
          .map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
      </SelectField>
      {value.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-1.5">
          {value.map((one) => (
            <li
              key={one}
              className="flex items-center gap-1 rounded-md border border-line py-0.5 pr-0.5 pl-2"
            >
              {labelOf(one)}
              <button
                type="button"
                aria-label={sharedText.removeOf(labelOf(one))}
                onClick={() => onChange(value.filter((other) => other !== one))}
                className="grid size-6 place-items-center rounded-sm text-ink-2 hover:bg-hover hover:text-ink"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
