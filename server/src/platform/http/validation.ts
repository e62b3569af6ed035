import Ajv, { type ErrorObject } from "ajv";
import type {
  FastifyError,
  FastifySchema,
  FastifySchemaCompiler,
  FastifySchemaValidationError,
} from "fastify";
import { Type } from "typebox";
import { isId } from "../ids.ts";
import { isNetwork } from "../networks.ts";
import { ApiError, notFound, type RejectedPart } from "../api-error.ts";
import type { Operation } from "./operation.ts";
import { isEmail } from "./shapes.ts";
import { type Fault, faultsOf } from "./validation-faults.ts";

/** Bodies say what they mean; text from an address has to be turned into numbers and lists. */
const bodies = newAjv(false);
const texts = newAjv("array");

/** Compiles a check for the first request that needs it; Ajv keeps it for every server of this process. */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const ajv = httpPart === "body" ? bodies : texts;
  return (data: unknown) => {
    const isValid = ajv.compile(schema);
    return isValid(data) ? true : { error: isValid.errors as FastifySchemaValidationError[] };
  };
};

const NOTHING = Type.Object({}, { additionalProperties: false });

/** Closed objects: an unknown field or parameter is an error. */
export function routeSchema<App>(operation: Operation<App>): FastifySchema {
  const response = Object.entries(operation.answers).filter(([, schema]) => schema !== null);
  return {
    querystring: operation.query ?? NOTHING,
    ...(operation.method !== "GET" && { body: operation.body ?? NOTHING }),
    response: Object.fromEntries(response),
  };
}

/**
 * Path parameters in canonical form. They are not among the schemas above: an impossible name gets the same
 * error as an unknown one, after all other errors.
 */
export function paramsReader<App>(operation: Operation<App>): (params: unknown) => Record<string, unknown> {
  return (params) => {
    const isFit = texts.compile(operation.params ?? NOTHING);
    if (!isFit(params)) throw notFound(operation.notFound ?? "not_found", operation.access.callers);
    return withIdsSpelt(params);
  };
}

/** UUIDs may be sent in capitals; they are one name anyway. */
function withIdsSpelt(params: unknown): Record<string, unknown> {
  const spelt = Object.entries((params ?? {}) as Record<string, unknown>).map(
    ([name, value]) =>
      [name, typeof value === "string" && isId(value) ? value.toLowerCase() : value] as const,
  );
  return Object.fromEntries(spelt);
}

/** Faults in the detail; `errors` has all of them. */
const MAX_REPORTED = 3;

export function errorOfValidation(error: FastifyError): ApiError {
  const isQuery = error.validationContext === "querystring";
  const faults = faultsOf(error.validation as unknown as ErrorObject[]);
  const errors = faults.map((fault) => (isQuery ? parameterOf(fault) : partOf(fault)));
  const [shown, more] = [errors.slice(0, MAX_REPORTED), errors.length - MAX_REPORTED];
  const rest = more > 0 ? [`See errors for ${more} more.`] : [];
  return new ApiError("invalid_request", [...shown.map((one) => one.detail), ...rest].join(" "), { errors });
}

function parameterOf({ path, code, detail }: Fault): RejectedPart {
  return { parameter: path.slice(1), code, detail: `Parameter ${path.slice(1)} ${detail}.` };
}

function partOf({ path, code, detail }: Fault): RejectedPart {
  return { pointer: `#${path}`, code, detail: `${path === "" ? "The body" : path.slice(1)} ${detail}.` };
}

function newAjv(coerceTypes: false | "array"): Ajv.default {
  const ajv = new Ajv.default({
    coerceTypes,
    allErrors: true,
    // Faults name what the schema allows.
    verbose: true,
    useDefaults: true,
    removeAdditional: false,
    strict: false,
    discriminator: true,
  });
  ajv.addFormat("uuid", isId);
  ajv.addFormat("network", isNetwork);
  ajv.addFormat("email", isEmail);
  // For the reader of the contract; a type and a limit say the rest.
  for (const name of ["int32", "int64", "password", "date-time", "uri"]) ajv.addFormat(name, true);
  return ajv;
}
