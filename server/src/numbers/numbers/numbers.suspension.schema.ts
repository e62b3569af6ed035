import { type Static, Type } from "typebox";
import {
  closedEnum,
  DateTime,
  Id,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { E164_PATTERN } from "./numbers.e164.ts";

const STATUSES = ["active", "suspended", "releasing"] as const;
const E164 = Type.String({ pattern: E164_PATTERN, maxLength: 16, examples: ["+4930901820"] });
const Reason = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "Shown to the holder as `status_reason`.",
  examples: ["fraud_suspected"],
});

export const HeldNumber = shape("HeldNumber", {
  id: Id,
  e164: E164,
  status: openEnum(STATUSES),
  status_reason: nullable(Reason),
  acquired_at: DateTime,
  organisation: Type.Object(
    { id: Id, name: Type.String({ maxLength: 200 }) },
    { additionalProperties: false, description: "The holder." },
  ),
});
export type HeldNumber = Static<typeof HeldNumber>;

export const HeldNumberPage = pageShape("HeldNumberPage", HeldNumber);

export const HeldNumbersQuery = Type.Object(
  {
    ...PageQuery,
    e164: Type.Optional({ ...E164, description: "The whole number, with the plus." }),
    organisation_id: Type.Optional({ ...Id, description: "The holder." }),
    status: Type.Optional(closedEnum(STATUSES)),
  },
  { additionalProperties: false },
);

export const SuspendNumber = shape("SuspendNumber", { reason: Type.Optional(Reason) });
