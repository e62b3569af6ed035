import { ChevronDown } from "lucide-react";
import { sharedText } from "./shared-text.ts";

interface FilterSelectProps<Value extends string> {
  label: string;
  /** Value without a choice (default: any). */
  anyLabel?: string;
  value: Value | undefined;
  options: readonly { value: Value; label: string }[];
  onChange(value: NoInfer<Value> | undefined): void;
}

/** Filter with an "any" option. A native control, for keyboards, phones and screen readers. */
export function FilterSelect<Value extends string>({
  label,
  anyLabel = sharedText.any.toLowerCase(),
  value,
  options,
  onChange,
}: FilterSelectProps<Value>) {
  return (
    <span className="relative inline-flex">
      <select
        aria-label={label}
        value={value ?? ""}
        onChange={({ target }) => onChange((target.value || undefined) as Value | undefined)}
        className={`field-sizing-content h-7 cursor-pointer appearance-none rounded-md border bg-raised pointer-coarse:h-11 pr-7 pl-2.5 text-xs font-medium hover:bg-hover ${value ? "border-accent text-accent" : "border-line-2 text-ink"}`}
      >
        <option value="">{sharedText.oneFilter(label, anyLabel)}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {sharedText.oneFilter(label, option.label)}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 size-3.5 -translate-y-1/2 text-ink-2"
      />
    </span>
  );
}
