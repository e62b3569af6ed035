import { type Static, Type } from "typebox";
import { SCOPES } from "../../platform/http/access.ts";
import {
  closedEnum,
  DateTime,
  described,
  Id,
  Name,
  nullable,
  openEnum,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";

/** Time for which the old key remains valid after a rotation. */
const OVERLAP_HOURS = [0, 1, 24, 168] as const;

const Network = Type.String({
  format: "network",
  maxLength: 64,
  examples: ["203.0.113.0/24"],
  description: "IP address or CIDR network.",
});

export const CreateApiKey = shape("CreateApiKey", {
  name: Type.String({ ...Name, maxLength: 100, description: "Name of the key." }),
  scopes: Type.Array(closedEnum(SCOPES), {
    minItems: 1,
    maxItems: 3,
    uniqueItems: true,
    description: "Scopes of the key.",
  }),
  expires_in_days: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: 3650,
        format: "int32",
        description: "Lifetime in days (default: 90). `null` creates a key that does not expire.",
      }),
    ),
  ),
  organisation_ids: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: "Organisations the key belongs to. Defaults to the current organisation.",
    }),
  ),
  allowed_networks: Type.Optional(
    Type.Array(Network, {
      maxItems: 50,
      description: "Networks from which the key can be used. Empty or absent allows all addresses.",
    }),
  ),
});
export type CreateApiKey = Static<typeof CreateApiKey>;

export const RotateApiKey = shape("RotateApiKey", {
  overlap_hours: Type.Optional(
    Type.Unsafe<(typeof OVERLAP_HOURS)[number]>({
      type: "integer",
      enum: [...OVERLAP_HOURS],
      format: "int32",
      minimum: 0,
      maximum: 168,
      description: "Hours for which the old key remains valid (default: 24).",
    }),
  ),
});
export type RotateApiKey = Static<typeof RotateApiKey>;

const SHOWN = {
  id: described(Id, "ID of the key."),
  name: Type.String({ maxLength: 100, description: "Name of the key." }),
  environment: openEnum(["live", "test"], "Environment the key belongs to."),
  hint: Type.String({ maxLength: 4, description: "Last four characters of the key." }),
  scopes: Type.Array(openEnum(SCOPES), { maxItems: 10, description: "Scopes of the key." }),
  status: openEnum(
    ["active", "expired", "revoked", "suspended"],
    "Status of the key. `suspended`: the database was restored from a backup, and an owner has to confirm the key. New values may be added.",
  ),
  allowed_networks: Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: 50,
    description: "Networks from which the key can be used. Empty allows all addresses.",
  }),
  is_shared: Type.Boolean({ description: "Whether the key also belongs to other organisations." }),
  created_by: described(Id, "ID of the user who created the key."),
  created_at: described(DateTime, "Time when the key was created."),
  expires_at: described(nullable(DateTime), "Time when the key expires. `null` if it does not expire."),
  revoked_at: described(nullable(DateTime), "Time when the key was revoked. `null` if it was not."),
  replaces_id: described(
    nullable(Id),
    "ID of the key that this one replaced in a rotation. `null` if there is none.",
  ),
  last_used_at: described(
    nullable(DateTime),
    "Time of the last request with the key. `null` if it was never used.",
  ),
};

export const ApiKey = shape("ApiKey", SHOWN);
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyWithSecret = shape("ApiKeyWithSecret", {
  ...SHOWN,
  secret: Type.String({
    maxLength: 64,
    examples: ["svc_live_…"],
    description: "The API key. It is shown only in this response.",
  }),
});

export const ApiKeyPage = pageShape("ApiKeyPage", ApiKey);
