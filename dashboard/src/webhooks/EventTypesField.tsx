import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { wordFor } from "../components/shared-text.ts";
import { EVENT_TYPES } from "./event-choices.ts";
import { webhooksText } from "./webhooks-text.ts";

interface EventTypesFieldProps {
  /** Types, or `noun.*` for all types of a noun. Empty for all events. */
  value: readonly string[];
  onChange(value: string[]): void;
}

/** Choice of events by noun, or one by one. */
export function EventTypesField({ value, onChange }: EventTypesFieldProps) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{webhooksText.events}</legend>
      <p className="text-xs text-ink-2">
        {value.length === 0 ? webhooksText.chooseAll : webhooksText.chooseSome(value.length)}
      </p>
      <ul className="max-h-56 overflow-y-auto rounded-md border border-line p-1">
        {Object.keys(EVENT_TYPES).map((noun) => (
          <Noun key={noun} {...{ noun, value, onChange }} />
        ))}
      </ul>
    </fieldset>
  );
}

function Noun({ noun, value, onChange }: EventTypesFieldProps & { noun: string }) {
  const all = `${noun}.*`;
  const types = EVENT_TYPES[noun]!.map((participle) => `${noun}.${participle}`);
  const [isOpen, setOpen] = useState(types.some((type) => value.includes(type)));
  const toggle = (type: string, isOn: boolean): void => {
    const others = value.filter((one) => one !== type && !(type === all && types.includes(one)));
    onChange(isOn ? [...others, type] : others);
  };
  return (
    <li>
      <div className="flex items-center justify-between gap-2 rounded-sm px-1.5 py-0.5 hover:bg-hover">
        <Tick
          label={webhooksText.allOf(wordFor(noun))}
          isOn={value.includes(all)}
          onToggle={(isOn) => toggle(all, isOn)}
        />
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={webhooksText.showTypes(wordFor(noun))}
          onClick={() => setOpen(!isOpen)}
          className="grid size-6 place-items-center rounded-sm text-ink-3 aria-expanded:rotate-90"
        >
          <ChevronRight aria-hidden className="size-3.5" />
        </button>
      </div>
      {isOpen && (
        <ul className="pl-6">
          {types.map((type) => (
            <li key={type} className="px-1.5 py-0.5">
              <Tick
                label={type}
                isOn={value.includes(all) || value.includes(type)}
                isDisabled={value.includes(all)}
                onToggle={(isOn) => toggle(type, isOn)}
              />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

interface TickProps {
  label: string;
  isOn: boolean;
  isDisabled?: boolean;
  onToggle(isOn: boolean): void;
}

function Tick({ label, isOn, isDisabled = false, onToggle }: TickProps) {
  return (
    <label className="inline-flex min-h-6 items-center gap-2">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={({ target }) => onToggle(target.checked)}
        className="size-4 accent-accent"
      />
      {label}
    </label>
  );
}
