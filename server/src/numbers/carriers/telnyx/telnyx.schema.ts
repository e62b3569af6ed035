import { Type } from "typebox";
import { Compile } from "typebox/compile";

/**
 * The parts of Telnyx responses that we rely on. Other parts may change. An unknown status counts as not decided yet.
 */
const Id = Type.String({ minLength: 1, maxLength: 64 });
const PhoneNumber = Type.String({ pattern: String.raw`^\+[1-9]\d{6,14}$` });
const Status = Type.String({ maxLength: 64 });
const Reference = Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()]));
const Instant = Type.String({ minLength: 20, maxLength: 40 });
const Meta = Type.Object({ total_pages: Type.Integer({ minimum: 0 }) });

export const AVAILABLE_NUMBERS = Compile(
  Type.Object({
    data: Type.Array(
      Type.Object({
        phone_number: PhoneNumber,
        phone_number_type: Type.Optional(Type.String({ pattern: "^[a-z_]{1,40}$" })),
        features: Type.Optional(
          Type.Array(Type.Object({ name: Type.String({ maxLength: 64 }) }), { maxItems: 20 }),
        ),
      }),
      { maxItems: 10_000 },
    ),
  }),
);

const Reservation = Type.Object({
  id: Id,
  customer_reference: Reference,
  phone_numbers: Type.Array(
    Type.Object({
      phone_number: PhoneNumber,
      status: Status,
      expired_at: Type.Optional(Type.Union([Instant, Type.Null()])),
    }),
  ),
});
export const RESERVATION = Compile(Type.Object({ data: Reservation }));
export const RESERVATIONS = Compile(Type.Object({ data: Type.Array(Reservation), meta: Meta }));

export const ORDER = Compile(
  Type.Object({
    data: Type.Object({
      id: Id,
      phone_numbers: Type.Array(Type.Object({ phone_number: PhoneNumber, status: Status })),
    }),
  }),
);
/** Numbers in a list of orders come without their status. */
export const ORDERS = Compile(
  Type.Object({ data: Type.Array(Type.Object({ id: Id, customer_reference: Reference })), meta: Meta }),
);

const OwnedNumber = Type.Object({
  id: Id,
  phone_number: PhoneNumber,
  status: Status,
  customer_reference: Reference,
  purchased_at: Type.Optional(Type.Union([Instant, Type.Null()])),
  connection_id: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
});
export const OWNED_NUMBERS = Compile(Type.Object({ data: Type.Array(OwnedNumber), meta: Meta }));
export const OWNED_NUMBER = Compile(Type.Object({ data: OwnedNumber }));
export const CONNECTIONS = Compile(
  Type.Object({
    data: Type.Array(
      Type.Object({
        id: Id,
        connection_name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        active: Type.Optional(Type.Boolean()),
      }),
    ),
    meta: Meta,
  }),
);
export const DELETED_NUMBER = Compile(Type.Object({ data: Type.Object({ status: Status }) }));
