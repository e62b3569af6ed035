import { type TSchema, Type } from "typebox";
import type { ErrorCode } from "../platform/error-catalogue.ts";
import { described, Id, nullable, shape } from "../platform/http/shapes.ts";

const Part = shape("ProblemPart", {
  pointer: Type.Optional(
    Type.String({ maxLength: 1000, description: "JSON Pointer to the invalid part of the body." }),
  ),
  parameter: Type.Optional(
    Type.String({ maxLength: 200, description: "Name of the invalid query parameter." }),
  ),
  header: Type.Optional(Type.String({ maxLength: 200, description: "Name of the invalid request header." })),
  code: Type.String({ maxLength: 100, description: "Machine-readable reason." }),
  detail: Type.String({ maxLength: 1000, description: "Explanation for people." }),
});

/** Body of an error response. server/src/platform/http/problem.ts builds it. */
const PROBLEM = {
  type: Type.String({ format: "uri", maxLength: 500, description: "URL of the documentation of this code." }),
  title: Type.String({
    maxLength: 200,
    description: "Short summary, the same for all errors with this code.",
  }),
  status: Type.Integer({
    minimum: 400,
    maximum: 599,
    format: "int32",
    description: "HTTP status code of the response.",
  }),
  detail: Type.String({ maxLength: 2000, description: "Explanation of the error in this request." }),
  instance: Type.String({
    format: "uri",
    maxLength: 100,
    description: "URI of this occurrence of the error.",
  }),
  code: Type.String({
    maxLength: 100,
    description: "Stable error code. Branch on this. New codes may be added.",
  }),
  request_id: Type.String({
    format: "uuid",
    maxLength: 36,
    description: "ID of the request, as in `Request-Id`. Quote it when you report a problem.",
  }),
  retryable: Type.Boolean({ description: "Whether the same request can succeed later." }),
  errors: Type.Optional(
    Type.Array(Part, { maxItems: 100, description: "Invalid parts of the request, one entry each." }),
  ),
};
const Problem = shape("Problem", PROBLEM);

const JobId = nullable(
  Type.String({
    ...Id,
    description: "ID of the job in progress. Poll it at `GET /v1/jobs/{job_id}`. `null` if unknown.",
  }),
);

const ProblemOrganisation = shape("ProblemOrganisation", {
  id: described(Id, "ID of the organisation."),
  name: Type.String({ maxLength: 200, examples: ["Northwind"], description: "Name of the organisation." }),
});

const RequiringOrganisation = described(
  ProblemOrganisation,
  "Organisation whose sign-in policy your session does not meet.",
);

/** Members for programs that only problems with this code have. */
const MEMBERS: Partial<Record<ErrorCode, Record<string, TSchema>>> = {
  scope_missing: {
    scopes: Type.Array(Type.String({ maxLength: 64, examples: ["numbers"] }), {
      maxItems: 50,
      description: "Scopes that allow this request. The API key needs one of them.",
    }),
  },
  role_not_allowed: {
    roles: Type.Array(Type.String({ maxLength: 64, examples: ["owner"] }), {
      maxItems: 50,
      description: "Roles that allow this request. You need one of them.",
    }),
  },
  organisation_second_factor_required: { organisation: RequiringOrganisation },
  session_too_old: { organisation: RequiringOrganisation },
  single_sign_on_required: {
    organisation: RequiringOrganisation,
    identity_providers: Type.Array(
      shape("ProblemIdentityProvider", {
        id: described(Id, "ID of the identity provider."),
        name: Type.String({
          maxLength: 200,
          examples: ["Entra ID"],
          description: "Name of the identity provider.",
        }),
      }),
      { maxItems: 10, description: "Identity providers of the organisation that have a verified domain." },
    ),
  },
  organisation_required: {
    organisations: Type.Array(ProblemOrganisation, {
      maxItems: 10_000,
      description: "Organisations that you can send in `X-Service-Org`.",
    }),
  },
  rate_limited: {
    policy: Type.String({
      maxLength: 64,
      examples: ["requests"],
      description: "Name of the exceeded limit, as in `RateLimit-Policy`.",
    }),
  },
  generation_mismatch: {
    generation: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      format: "int64",
      examples: [4],
      description: "Current generation of the resource.",
    }),
  },
  trunks_changed: {
    revision: Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      format: "int32",
      examples: [5],
      description: "Current revision of the trunks.",
    }),
  },
  networks_not_confirmed: {
    networks: Type.Array(Type.String({ maxLength: 18, examples: ["198.51.100.0/24"] }), {
      maxItems: 10_000,
      description: "Networks that the change opens. Confirm exactly these in `confirmed_networks`.",
    }),
  },
  release_in_progress: { job_id: JobId },
  restore_in_progress: { job_id: JobId },
  idempotency_key_reused: {
    order_id: Type.Optional(
      Type.String({
        ...Id,
        description:
          "ID of the order that was placed with this key. Absent if the key was not used for an order.",
      }),
    ),
  },
};

/** Problem with this code, including its extra members. */
export function problemWith(code: ErrorCode): TSchema {
  const members = MEMBERS[code];
  if (!members) return Problem;
  const title = `${code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Problem`;
  return shape(title, { ...PROBLEM, ...members });
}

export function membersOf(code: ErrorCode): Record<string, TSchema> {
  return MEMBERS[code] ?? {};
}
