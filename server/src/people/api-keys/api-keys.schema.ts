import { type Static, Type } from "typebox";
import { SCOPES } from "../../platform/http/access.ts";
import {
  closedEnum,
  DateTime,
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
  description: "An address or a network in CIDR form.",
});

export const CreateApiKey = shape("CreateApiKey", {
  name: Type.String({ ...Name, maxLength: 100 }),
  scopes: Type.Array(closedEnum(SCOPES), { minItems: 1, maxItems: 3, uniqueItems: true }),
  expires_in_days: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: 3650,
        format: "int32",
        description: "90 when left out; null for a key that does not end by itself.",
      }),
    ),
  ),
  organisation_ids: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: "The current organisation when left out.",
    }),
  ),
  allowed_networks: Type.Optional(
    Type.Array(Network, {
      maxItems: 50,
      description: "From where the key may be used; anywhere when empty.",
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
      description: "How long the old key goes on; 24 when left out.",
    }),
  ),
});
export type RotateApiKey = Static<typeof RotateApiKey>;

const SHOWN = {
  id: Id,
  name: Type.String({ maxLength: 100 }),
  environment: openEnum(["live", "test"]),
  hint: Type.String({ maxLength: 4, description: "The last four characters of the key." }),
  scopes: Type.Array(openEnum(SCOPES), { maxItems: 10 }),
  status: openEnum(["active", "expired", "revoked"]),
  allowed_networks: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50 }),
  is_shared: Type.Boolean({ description: "Whether it also belongs to other organisations." }),
  created_by: Id,
  created_at: DateTime,
  expires_at: nullable(DateTime),
  revoked_at: nullable(DateTime),
  replaces_id: nullable(Id),
  last_used_at: nullable(DateTime),
};

export const ApiKey = shape("ApiKey", SHOWN);
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyWithSecret = shape("ApiKeyWithSecret", {
  ...SHOWN,
  secret: Type.String({
    maxLength: 64,
    examples: ["svc_live_…"],
    description: "The key itself. Shown here and never again.",
  }),
});

export const ApiKeyPage = pageShape("ApiKeyPage", ApiKey);
