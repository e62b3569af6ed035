import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useId, useState } from "react";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { numberQuery } from "../numbers/routing-queries.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { callsText } from "./calls-text.ts";

const MOST_SUGGESTIONS = 8;

interface NumberFilterProps {
  place: OpenPlace;
  /** ID of the number. */
  value: string | undefined;
  onChange(value: string | undefined): void;
}

/** Filter by a called number: an input with suggestions, then a button that removes the filter. */
export function NumberFilter({ place, value, onChange }: NumberFilterProps) {
  // The other control replaces this one, and the keyboard focus follows.
  const [wasUsed, setUsed] = useState(false);
  const change = (id: string | undefined): void => {
    setUsed(true);
    onChange(id);
  };
  return value ? (
    <ChosenNumber place={place} id={value} hasFocus={wasUsed} onRemove={() => change(undefined)} />
  ) : (
    <NumberInput place={place} hasFocus={wasUsed} onChoose={change} />
  );
}

interface ChosenNumberProps {
  place: OpenPlace;
  id: string;
  hasFocus: boolean;
  onRemove(): void;
}

function ChosenNumber({ place, id, hasFocus, onRemove }: ChosenNumberProps) {
  const { data: number } = useQuery(numberQuery(place, id));
  return (
    <button
      type="button"
      autoFocus={hasFocus}
      className="inline-flex h-7 items-center gap-1.5 rounded-md border border-accent bg-raised px-2.5 text-xs font-medium whitespace-nowrap text-accent hover:bg-hover pointer-coarse:h-11"
      title={callsText.filters.removeNumber}
      onClick={onRemove}
    >
      <span>
        {callsText.filters.number}: {number ? <PhoneNumber e164={number.e164} /> : id.slice(0, 8)}
      </span>
      <X aria-hidden className="size-3.5" />
    </button>
  );
}

interface NumberInputProps {
  place: OpenPlace;
  hasFocus: boolean;
  onChoose(id: string): void;
}

function NumberInput({ place, hasFocus, onChoose }: NumberInputProps) {
  const { organisation, environment, client } = place;
  const id = useId();
  const [typed, setTyped] = useState("");
  const q = typed.trim();
  const { data } = useQuery({
    queryKey: [organisation, environment, "number-suggestions", q],
    queryFn: ({ signal }) =>
      withSession(() => client.numbers.list({ q, limit: MOST_SUGGESTIONS }, { signal })),
    enabled: q !== "",
    placeholderData: (before) => before,
  });
  const suggested = data?.data ?? [];
  const type = (text: string): void => {
    setTyped(text);
    const number = suggested.find(({ e164 }) => e164 === text);
    if (number) onChoose(number.id);
  };
  const isOnlyOne = suggested.length === 1;
  return (
    <>
      <input
        list={id}
        autoFocus={hasFocus}
        aria-label={callsText.filters.number}
        placeholder={callsText.filters.number}
        value={typed}
        onChange={({ target }) => type(target.value)}
        onKeyDown={({ key }) => key === "Enter" && isOnlyOne && onChoose(suggested[0]!.id)}
        className="h-7 w-32 rounded-md border border-line-2 bg-raised px-2.5 text-xs font-medium placeholder:text-ink pointer-coarse:h-11"
      />
      <datalist id={id}>
        {suggested.map(({ e164, label }) => (
          <option key={e164} value={e164}>
            {label}
          </option>
        ))}
      </datalist>
    </>
  );
}
