import { type ReactNode, useId } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";

interface ChoiceFieldProps {
  label: string;
  hint?: ReactNode;
  choices: readonly { value: string; label: string }[];
  /** Field of the form, as `register` returns it. */
  field: UseFormRegisterReturn;
}

/** Radio buttons that look like buttons, with a hint about the selected one. */
export function ChoiceField({ label, hint, choices, field }: ChoiceFieldProps) {
  const id = useId();
  return (
    <fieldset className="grid gap-1.5" aria-describedby={hint ? `${id}-note` : undefined}>
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-1.5">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="cursor-pointer rounded-md border border-line px-2.5 py-1.5 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent"
          >
            <input type="radio" value={choice.value} className="sr-only" {...field} />
            {choice.label}
          </label>
        ))}
      </div>
      {hint && (
        <p id={`${id}-note`} className="text-xs text-ink-2">
          {hint}
        </p>
      )}
    </fieldset>
  );
}
