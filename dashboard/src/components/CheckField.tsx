import { type ComponentProps, type ReactNode, useId } from "react";

interface CheckFieldProps extends Omit<ComponentProps<"input">, "type"> {
  label: string;
  hint?: ReactNode;
}

/** Checkbox with a hint below. */
export function CheckField({ label, hint, ...input }: CheckFieldProps) {
  const id = useId();
  return (
    <div className="flex gap-2.5">
      <input
        id={id}
        type="checkbox"
        {...input}
        aria-describedby={hint ? `${id}-note` : undefined}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div className="grid gap-0.5">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-note`} className="text-xs text-ink-2">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
