import { type TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";
import {
  type InventoryQuery,
  REQUIREMENT_TYPES,
  type WantedOrder,
  type WantedReservation,
} from "./carrier.ts";

/** Validates responses: an adapter may be wrong, and a carrier may send anything. */
const E164 = Type.String({ pattern: String.raw`^\+[1-9]\d{6,14}$`, maxLength: 16 });
const oneOf = (...words: string[]) => Type.Union(words.map((word) => Type.Literal(word)));

/** Above the largest number of items in one call. */
const MOST = 10_000;

const Order = Compile(
  Type.Object({
    items: Type.Array(
      Type.Object({
        e164: E164,
        outcome: oneOf("bought", "pending", "refused"),
        reason: Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Undefined()])),
      }),
      { minItems: 1, maxItems: MOST },
    ),
  }),
);
const Release = Compile(oneOf("released", "pending", "refused"));
const Restore = Compile(oneOf("restored", "not_available"));
const Owned = Compile(
  Type.Object({
    numbers: Type.Array(
      Type.Object({
        e164: E164,
        reference: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
        boughtFor: Type.Optional(Type.String({ maxLength: 36 })),
        boughtAt: Type.Union([Type.String({ format: "date-time", maxLength: 40 }), Type.Null()]),
      }),
      { maxItems: MOST },
    ),
    next: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 1_000 }), Type.Undefined()])),
  }),
);
const Offered = Compile(
  Type.Array(
    Type.Object({
      e164: E164,
      country: Type.Union([Type.String({ pattern: "^[A-Z]{2}$" }), Type.Null()]),
      type: Type.String({ minLength: 1, maxLength: 40 }),
      capabilities: Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { maxItems: 20 }),
    }),
    { maxItems: MOST },
  ),
);
const Reserved = Compile(
  Type.Array(
    Type.Object({
      e164: E164,
      outcome: oneOf("available", "not_available"),
      until: Type.Optional(
        Type.Union([Type.String({ format: "date-time", maxLength: 40 }), Type.Undefined()]),
      ),
    }),
    { maxItems: MOST },
  ),
);

const TrunkId = Type.String({ minLength: 1, maxLength: 100 });
const Trunks = Compile(
  Type.Array(Type.Object({ id: TrunkId, name: Type.String({ maxLength: 200 }) }), { maxItems: MOST }),
);
const DeliveredTo = Type.Union([TrunkId, Type.Null()]);
const Delivered = Compile(Type.Object({ trunk: DeliveredTo }));
const Deliveries = Compile(
  Type.Object({
    numbers: Type.Array(Type.Object({ e164: E164, trunk: DeliveredTo }), { maxItems: MOST }),
    next: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 1_000 }), Type.Undefined()])),
  }),
);

const REASON = Type.String({ minLength: 1, maxLength: 500 });
const Submitted = Compile(
  Type.Union([
    Type.Object({ status: oneOf("pending", "accepted") }),
    Type.Object({ status: Type.Literal("rejected"), reason: REASON }),
  ]),
);
const optional = (schema: TSchema) => Type.Optional(Type.Union([schema, Type.Undefined()]));
const NEEDED = {
  e164: E164,
  id: Type.String({ minLength: 1, maxLength: 100 }),
  type: oneOf(...REQUIREMENT_TYPES),
  description: Type.String({ minLength: 1, maxLength: 500 }),
  country: optional(Type.String({ pattern: "^[A-Z]{2}$" })),
  documentKinds: optional(
    Type.Array(Type.String({ pattern: "^[a-z][a-z_]*$", maxLength: 40 }), { maxItems: 20 }),
  ),
  submission: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
};
const Needed = Compile(
  Type.Array(
    Type.Union([
      Type.Object({ ...NEEDED, status: oneOf("missing", "pending", "accepted") }),
      Type.Object({ ...NEEDED, status: Type.Literal("rejected"), reason: REASON }),
    ]),
    { maxItems: MOST },
  ),
);

type IsSound = (answer: unknown) => boolean;

export const isCarrierOrder: IsSound = (answer) => Order.Check(answer) && namesEachOnce(answer.items);
export const isReleaseState: IsSound = (answer) => Release.Check(answer);
export const isRestoreState: IsSound = (answer) => Restore.Check(answer);
export const isOwnedPage: IsSound = (answer) => Owned.Check(answer);
export const isDeliveryState: IsSound = (answer) => Delivered.Check(answer);
export const isDeliveryPage: IsSound = (answer) => Deliveries.Check(answer) && namesEachOnce(answer.numbers);
export const isTrunks: IsSound = (answer) =>
  Trunks.Check(answer) && new Set(answer.map(({ id }) => id)).size === answer.length;
export const isSubmissionState: IsSound = (answer) => Submitted.Check(answer);
export const areRequirements: IsSound = (answer) =>
  Needed.Check(answer) && new Set(answer.map(({ e164, id }) => `${e164} ${id}`)).size === answer.length;
export const isNothing: IsSound = (answer) => answer === undefined;

export function orNothing(isSound: IsSound): IsSound {
  return (answer) => answer === undefined || isSound(answer);
}

/** Every number that was requested, once, and no other. */
export function answersToOrder({ e164s }: WantedOrder): IsSound {
  return (answer) => Order.Check(answer) && isAbout(e164s, answer.items);
}

export function answersToReserve({ e164s }: WantedReservation): IsSound {
  return (answer) => Reserved.Check(answer) && isAbout(e164s, answer);
}

export function answersToSearch({ limit }: InventoryQuery): IsSound {
  return (answer) => Offered.Check(answer) && answer.length <= limit + 1 && namesEachOnce(answer);
}

function isAbout(wanted: readonly string[], items: readonly { e164: string }[]): boolean {
  const named = new Set(items.map(({ e164 }) => e164));
  return items.length === wanted.length && wanted.every((e164) => named.has(e164));
}

function namesEachOnce(items: readonly { e164: string }[]): boolean {
  return new Set(items.map(({ e164 }) => e164)).size === items.length;
}
