import { type ComponentProps, type ReactNode, useId } from "react";
import { INPUT_CLASS } from "./TextField.tsx";

interface SelectFieldProps extends ComponentProps<"select"> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/** Native select with a label. */
export function SelectField({ label, hint, error, children, className = "", ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={`grid content-start gap-1.5 ${className}`}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <select
        id={id}
        {...select}
        className={INPUT_CLASS}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
      >
        {children}
      </select>
      {(error || hint) && (
        <p id={`${id}-note`} className={`text-xs ${error ? "text-bad" : "text-ink-2"}`}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
