import type { InventoryNumber } from "@dialplane/sdk";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { CountryField } from "../components/CountryField.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { TextField } from "../components/TextField.tsx";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { MOST_NUMBERS, TYPES } from "./order-form.ts";
import { ReservedNumbers } from "./ReservedNumbers.tsx";
import { ordersText } from "./orders-text.ts";

const PAGE_SIZE = 50;

interface InventoryPickerProps {
  place: OpenPlace;
  reservation: string | undefined;
  onReserve(reservation: string | undefined): void;
}

/** Search, selection and 30-minute reservation of numbers for sale. */
export function InventoryPicker({ place, reservation, onReserve }: InventoryPickerProps) {
  if (reservation)
    return <ReservedNumbers place={place} id={reservation} onGone={() => onReserve(undefined)} />;
  return <InventorySearch place={place} onReserve={onReserve} />;
}

interface Wanted {
  country: string;
  type: string;
  contains: string;
}

function InventorySearch({ place, onReserve }: Omit<InventoryPickerProps, "reservation">) {
  const [wanted, setWanted] = useState<Wanted>({ country: "US", type: "", contains: "" });
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const list = useInventory(place, wanted);
  const reserve = useMutation({
    mutationFn: () => withSession(() => place.client.reservations.create({ numbers: [...ticked] })),
    meta: { isShownInPlace: true },
    onSuccess: ({ id }) => onReserve(id),
    onError: () => void list.refetch(),
  });
  const offers = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <fieldset className="grid gap-4 rounded-lg border border-line bg-surface p-4">
      <legend className="sr-only">{ordersText.inventory}</legend>
      <WantedFields wanted={wanted} onChange={setWanted} />
      {list.data && offers.length === 0 && (
        <p className="py-4 text-center text-sm text-ink-2">
          {list.data.pages[0]?.carrier.connected ? ordersText.noMatch : ordersText.inventoryMissing}
        </p>
      )}
      <Offers offers={offers} ticked={ticked} onTick={setTicked} />
      {wanted.country.trim().length === 2 && <MoreRows list={list} />}
      {reserve.error && <FailureNotice error={reserve.error} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          isPending={reserve.isPending}
          disabled={ticked.size === 0 || ticked.size > MOST_NUMBERS}
          onClick={() => reserve.mutate()}
        >
          {ordersText.reserve(ticked.size)}
        </Button>
        <AsCode
          of={ordersText.search}
          call={() => ({ operation: "searchInventory", query: inventoryQuery(wanted) })}
        />
        <AsCode
          of={ordersText.reservation}
          call={() => ({ operation: "createReservation", body: { numbers: [...ticked] } })}
        />
        <p className="text-xs text-ink-2">{ordersText.reserveHint}</p>
      </div>
    </fieldset>
  );
}

function inventoryQuery({ country, type, contains }: Wanted) {
  return {
    country: country.trim().toUpperCase(),
    type: type || undefined,
    contains: contains.replaceAll(/\D/g, "") || undefined,
    limit: PAGE_SIZE,
  };
}

function useInventory({ organisation, environment, client }: OpenPlace, wanted: Wanted) {
  const query = inventoryQuery(wanted);
  return useInfiniteQuery({
    queryKey: [organisation, environment, "inventory", query],
    queryFn: ({ signal, pageParam }) =>
      withSession(() => client.inventory.search({ ...query, cursor: pageParam }, { signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    enabled: query.country.length === 2,
    placeholderData: (before) => before,
  });
}

function WantedFields({ wanted, onChange }: { wanted: Wanted; onChange(wanted: Wanted): void }) {
  const set = (name: keyof Wanted) => (event: { target: { value: string } }) =>
    onChange({ ...wanted, [name]: event.target.value });
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <CountryField anyLabel={ordersText.chooseCountry} value={wanted.country} onChange={set("country")} />
      <SelectField label={sharedText.numberType} value={wanted.type} onChange={set("type")}>
        <option value="">{sharedText.any}</option>
        {TYPES.map((type) => (
          <option key={type} value={type}>
            {wordFor(type)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={ordersText.digits}
        inputMode="numeric"
        value={wanted.contains}
        onChange={set("contains")}
      />
    </div>
  );
}

interface OffersProps {
  offers: readonly InventoryNumber[];
  ticked: ReadonlySet<string>;
  onTick(ticked: ReadonlySet<string>): void;
}

function Offers({ offers, ticked, onTick }: OffersProps) {
  const toggle = (e164: string): void => {
    const next = new Set(ticked);
    if (!next.delete(e164)) next.add(e164);
    onTick(next);
  };
  if (offers.length === 0) return null;
  return (
    <ul className="grid max-h-80 grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-1 overflow-y-auto">
      {offers.map(({ e164, type }) => (
        <li key={e164}>
          <label className="flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 text-sm hover:bg-hover has-checked:bg-accent-soft">
            <input
              type="checkbox"
              checked={ticked.has(e164)}
              onChange={() => toggle(e164)}
              className="size-4 accent-accent"
            />
            <span className="tabular-nums">
              <PhoneNumber e164={e164} />
            </span>
            <span className="sr-only">{wordFor(type)}</span>
          </label>
        </li>
      ))}
    </ul>
  );
}
