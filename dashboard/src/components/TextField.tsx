import { type ComponentProps, type ReactNode, useId } from "react";

export const INPUT_CLASS =
  "h-8 w-full rounded-md border border-line-strong bg-surface px-2.5 text-sm text-ink placeholder:text-ink-2 transition-colors hover:border-ink/50 focus-visible:border-accent focus-visible:outline-1 focus-visible:-outline-offset-1 disabled:border-line disabled:bg-sunken aria-invalid:border-bad pointer-coarse:h-11";

interface TextFieldProps extends ComponentProps<"input"> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Next to the label, such as a link to reset a password. */
  aside?: ReactNode;
}

/** Single-line text field with a label. Its error appears below and is announced to screen readers. */
export function TextField({ label, hint, error, aside, className = "", ...input }: TextFieldProps) {
  const id = useId();
  return (
    <div className={`grid content-start gap-1.5 ${className}`}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside}
      </div>
      <input
        id={id}
        {...input}
        className={INPUT_CLASS}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
      />
      {(error || hint) && (
        <p id={`${id}-note`} className={`text-xs ${error ? "text-bad" : "text-ink-2"}`}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
