import { type Static, Type } from "typebox";
import {
  closedEnum,
  DateTime,
  described,
  Id,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { E164_PATTERN } from "./numbers.e164.ts";

const STATUSES = ["active", "suspended", "releasing"] as const;
const E164 = Type.String({
  pattern: E164_PATTERN,
  maxLength: 16,
  examples: ["+4930901820"],
  description: "Phone number in E.164 format.",
});
const Reason = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "Reason for the suspension. Shown to the holder as `status_reason`.",
  examples: ["fraud_suspected"],
});

export const HeldNumber = shape("HeldNumber", {
  id: described(Id, "ID of the number."),
  e164: E164,
  status: openEnum(STATUSES, "Status of the number."),
  status_reason: described(nullable(Reason), "Reason for the suspension. `null` if there is none."),
  acquired_at: described(DateTime, "Time when the organisation received the number."),
  organisation: Type.Object(
    {
      id: described(Id, "ID of the organisation."),
      name: Type.String({ maxLength: 200, description: "Name of the organisation." }),
    },
    { additionalProperties: false, description: "Organisation that holds the number." },
  ),
});
export type HeldNumber = Static<typeof HeldNumber>;

export const HeldNumberPage = pageShape("HeldNumberPage", HeldNumber);

export const HeldNumbersQuery = Type.Object(
  {
    ...PageQuery,
    e164: Type.Optional({ ...E164, description: "Exact phone number in E.164 format, with the plus." }),
    organisation_id: Type.Optional({ ...Id, description: "ID of the organisation that holds the numbers." }),
    status: Type.Optional(described(closedEnum(STATUSES), "Only numbers with this status.")),
  },
  { additionalProperties: false },
);

export const SuspendNumber = shape("SuspendNumber", { reason: Type.Optional(Reason) });
