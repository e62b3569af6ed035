import { NotFoundError, type Reservation } from "@dialplane/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { AsCode } from "../as-code/AsCode.tsx";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { Button } from "../components/Button.tsx";
import { Countdown } from "../components/Countdown.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { ordersText } from "./orders-text.ts";

interface ReservedNumbersProps {
  place: OpenPlace;
  id: string;
  onGone(): void;
}

/** Reserved numbers and the remaining time. The URL contains the ID, so a reload finds them again. */
export function ReservedNumbers({ place, id, onGone }: ReservedNumbersProps) {
  const { organisation, environment, client } = place;
  const reservation = useQuery({
    queryKey: [organisation, environment, "reservation", id],
    queryFn: ({ signal }) => withSession(() => client.reservations.get(id, { signal })),
  });
  if (reservation.isPending) return <RowSkeletons count={2} />;
  if (reservation.data)
    return (
      <Held
        place={place}
        reservation={reservation.data}
        onOver={() => void reservation.refetch()}
        onGone={onGone}
      />
    );
  const isGone = reservation.error instanceof NotFoundError;
  return (
    <FailureNotice
      error={reservation.error}
      action={
        <Button size="small" onClick={() => (isGone ? onGone() : void reservation.refetch())}>
          {isGone ? ordersText.startOver : sharedText.retry}
        </Button>
      }
    />
  );
}

interface HeldProps {
  place: OpenPlace;
  reservation: Reservation;
  onOver(): void;
  onGone(): void;
}

function Held({ place, reservation: { id, status, numbers, expires_at }, onOver, onGone }: HeldProps) {
  const cancel = useMutation({
    mutationFn: () => withSession(() => place.client.reservations.cancel(id)),
    onSuccess: onGone,
  });
  const isActive = status === "active";
  return (
    <section
      aria-label={ordersText.reservation}
      className="grid gap-3 rounded-lg border border-line bg-surface p-4"
    >
      {isActive ? (
        <p className="text-sm">
          {ordersText.timeLeft} <Countdown until={expires_at} onOver={onOver} />
        </p>
      ) : (
        <p role="alert" className="text-sm font-medium text-warn">
          {status === "expired" ? ordersText.expired : ordersText.inactive(wordFor(status).toLowerCase())}
        </p>
      )}
      <ul className="flex flex-wrap gap-2">
        {numbers.map((e164) => (
          <li key={e164} className="rounded-md border border-line px-2 py-1 text-sm tabular-nums">
            <PhoneNumber e164={e164} />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          isPending={cancel.isPending}
          onClick={() => (isActive ? cancel.mutate() : onGone())}
        >
          {isActive ? ordersText.cancelReservation : ordersText.startOver}
        </Button>
        <AsCode
          of={ordersText.reservation}
          call={() => [
            { operation: "getReservation", path: { id } },
            { operation: "cancelReservation", path: { id } },
          ]}
        />
      </div>
    </section>
  );
}
