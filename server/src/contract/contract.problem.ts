import { type TSchema, Type } from "typebox";
import type { ErrorCode } from "../platform/error-catalogue.ts";
import { Id, nullable, shape } from "../platform/http/shapes.ts";

const Part = shape("ProblemPart", {
  pointer: Type.Optional(
    Type.String({ maxLength: 1000, description: "Where in the body, as a JSON Pointer." }),
  ),
  parameter: Type.Optional(Type.String({ maxLength: 200, description: "Which query parameter." })),
  header: Type.Optional(Type.String({ maxLength: 200, description: "Which request header." })),
  code: Type.String({ maxLength: 100, description: "What is wrong with it, for programs." }),
  detail: Type.String({ maxLength: 1000, description: "The same for people." }),
});

/** A error as it goes over the wire; problem.ts of platform/http makes them. */
const PROBLEM = {
  type: Type.String({ format: "uri", maxLength: 500, description: "Address of this code's documentation." }),
  title: Type.String({ maxLength: 200, description: "The same for every refusal with this code." }),
  status: Type.Integer({ minimum: 400, maximum: 599, format: "int32" }),
  detail: Type.String({ maxLength: 2000, description: "What was wrong with this very request." }),
  instance: Type.String({ format: "uri", maxLength: 100, description: "This very refusal." }),
  code: Type.String({ maxLength: 100, description: "Stable; decide by it. More codes may come." }),
  request_id: Type.String({ format: "uuid", maxLength: 36 }),
  retryable: Type.Boolean({ description: "Whether the very same request can succeed later." }),
  errors: Type.Optional(
    Type.Array(Part, { maxItems: 100, description: "One entry for each part that was wrong." }),
  ),
};
const Problem = shape("Problem", PROBLEM);

const JobId = nullable(
  Type.String({ ...Id, description: "The job in progress. Follow it at `GET /v1/jobs/{job_id}`." }),
);

const ProblemOrganisation = shape("ProblemOrganisation", {
  id: Id,
  name: Type.String({ maxLength: 200, examples: ["Northwind"] }),
});

/** Members for programs that only problems with this code have. */
const MEMBERS: Partial<Record<ErrorCode, Record<string, TSchema>>> = {
  scope_missing: {
    scopes: Type.Array(Type.String({ maxLength: 64, examples: ["numbers"] }), {
      maxItems: 50,
      description: "Scopes of which the API key needs one.",
    }),
  },
  role_not_allowed: {
    roles: Type.Array(Type.String({ maxLength: 64, examples: ["owner"] }), {
      maxItems: 50,
      description: "Roles of which you need one.",
    }),
  },
  organisation_second_factor_required: { organisation: ProblemOrganisation },
  session_too_old: { organisation: ProblemOrganisation },
  single_sign_on_required: {
    organisation: ProblemOrganisation,
    identity_providers: Type.Array(
      shape("ProblemIdentityProvider", {
        id: Id,
        name: Type.String({ maxLength: 200, examples: ["Entra ID"] }),
      }),
      { maxItems: 10, description: "Identity providers that have a verified domain." },
    ),
  },
  organisation_required: {
    organisations: Type.Array(ProblemOrganisation, {
      maxItems: 10_000,
      description: "Organisations that you can name in `X-Service-Org`.",
    }),
  },
  rate_limited: {
    policy: Type.String({
      maxLength: 64,
      examples: ["requests"],
      description: "The limit that is used up, as in `RateLimit-Policy`.",
    }),
  },
  generation_mismatch: {
    generation: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      format: "int64",
      examples: [4],
      description: "The current generation.",
    }),
  },
  release_in_progress: { job_id: JobId },
  restore_in_progress: { job_id: JobId },
  idempotency_key_reused: {
    order_id: Type.Optional(
      Type.String({ ...Id, description: "The order that was placed with this key, if it was one." }),
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
