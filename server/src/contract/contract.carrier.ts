import type { TSchema } from "typebox";
import {
  ERROR_EXAMPLES,
  PROTOCOL_EXAMPLES,
  SIGNATURE_EXAMPLE,
} from "../numbers/carriers/http/http-carrier.examples.ts";
import {
  PLACEHOLDERS,
  PROTOCOL_OPERATIONS,
  type ProtocolOperation,
} from "../numbers/carriers/http/http-carrier.operations.ts";
import { ProtocolError } from "../numbers/carriers/http/http-carrier.schema.ts";
import { type JsonObject, nameSchemas, type NamedSchemas } from "./contract.schemas.ts";

const { secret, timestamp, method, target, body: signedBody, signature } = SIGNATURE_EXAMPLE;

const INTRODUCTION = `
An HTTP interface between Dialplane and a carrier. You implement it in front of any source of numbers, and Dialplane
orders, returns, searches and delivers numbers there. Dialplane is the client.

## Signatures

Every request is signed with a secret that Dialplane and the carrier share:

    Dialplane-Timestamp: ${timestamp}
    Dialplane-Signature: v1=<hex>

The signature is the HMAC-SHA256 of \`<timestamp>.<method>.<target>.<body>\`. \`target\` is path and query below your base
URL, as sent, such as \`${target}\`. Without a body, the text ends with the last point. The key is the text of
the secret, without a line break. Do not decode it, even if it looks like hexadecimal. Reject with 401 what is not
signed, and timestamps that differ from your clock by more than 5 minutes.

To test your code, sign this text:

    ${timestamp}.${method}.${target}.${signedBody}

With the secret \`${secret}\`, the signature is

    ${signature}

To change the secret, accept the old and the new one until the operator of Dialplane has set the new one.

## References

Every change has a reference that Dialplane chooses. A request can arrive several times, also concurrently and long
after the first, because Dialplane repeats what it got no response to. Record the outcome with the reference in one
transaction, and return the recorded outcome to each repeat. If a repeat names another number than the first request,
respond with 409. While a \`PUT\` is in progress, a \`GET\` of its reference
waits, or gets \`pending\` or 503.

## Requests

A body is JSON with \`Content-Type\` and \`Content-Length\`, of at most 1 MiB, or 8 MiB
for a submission of evidence. In paths and queries, a plus is \`%2B\`.
Ignore properties and query parameters that you do not know: version 1 can get new ones. Dialplane ignores such
properties in responses, and their \`Content-Type\`.

## Errors

An error has a JSON body with \`code\` and \`message\`. If several errors apply, respond with any of them.

| Status | Meaning | Dialplane then |
|---|---|---|
| 400, 409, 413, 422 | The request is invalid. It had no effect. | reports a failure |
| 401, 403, 429, 503, and 404 without the code \`unknown\` | You did not process the request. | repeats it later |
| 404 with the code \`unknown\` | You do not know the reference or number in the path. | learns that the reference or number is unknown |
| everything else, no response within 15 seconds | It may have had an effect. | asks for the reference |

An unknown path or method gets 404 with a code other than \`unknown\`. The same holds for operations of features that
you do not have.
`.trim();

const TAGS: [tag: string, feature: ProtocolOperation["feature"], description: string][] = [
  ["Ordering", undefined, "Every carrier implements these operations."],
  ["Inventory", "inventory", "Operations of carriers with the feature `inventory`."],
  ["Restore", "restore", "Operations of carriers with the feature `restore`."],
  ["Delivery", "delivery", "Operations of carriers with the feature `delivery`."],
  ["Requirements", "requirements", "Operations of carriers with the feature `requirements`."],
];

/** The protocol between Dialplane and carriers that implement it. */
export function carrierOpenApi(): JsonObject {
  const schemas = nameSchemas();
  const paths: Record<string, JsonObject> = {};
  for (const operation of PROTOCOL_OPERATIONS)
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = operationOf(schemas, operation);
  const errors = Object.entries(ERROR_STATUSES).map(([name, description]) => [
    name,
    errorResponse(schemas, description, ERROR_EXAMPLES[name as keyof typeof ERROR_EXAMPLES]),
  ]);
  return {
    openapi: "3.1.2",
    info: {
      title: "Dialplane carrier protocol",
      version: "1",
      summary: "Connect any carrier to Dialplane",
      description: INTRODUCTION,
      contact: { name: "The operator of your installation" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [
      {
        url: "https://{host}",
        description: "The carrier's production server. A path may follow the host.",
        variables: { host: { default: "carrier.example", description: "Host name of the server." } },
        "x-internal": false,
      },
    ],
    tags: TAGS.map(([name, , description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        signature: {
          type: "apiKey",
          in: "header",
          name: "Dialplane-Signature",
          description: "`v1=` and the HMAC in hexadecimal, with `Dialplane-Timestamp`.",
        },
      },
      parameters: {
        Timestamp: {
          name: "Dialplane-Timestamp",
          in: "header",
          required: true,
          description: "Time of the signature, in seconds since 1970.",
          schema: { type: "string", pattern: String.raw`^\d{1,12}$`, maxLength: 12 },
          example: "1763199000",
        },
      },
      responses: Object.fromEntries(errors) as JsonObject,
      schemas: schemas.all(),
    },
  };
}

const ERROR_STATUSES = {
  malformed: "The request is invalid. It had no effect. 422 means the same.",
  rejected: "The request is invalid, or names something that does not exist. It had no effect.",
  used: "The reference belongs to an earlier request for another number. The request had no effect.",
  tooLarge: "The body is too large. The request had no effect.",
  unsigned: "The signature is missing, wrong or too old.",
  unknown: "The carrier does not know what the path names.",
  failed: "The request may have had an effect.",
  unavailable: "The carrier did not process the request, and it had no effect. Dialplane repeats it later.",
};

function operationOf(schemas: NamedSchemas, operation: ProtocolOperation): JsonObject {
  const { id, feature, summary, description, body, answer } = operation;
  const example = PROTOCOL_EXAMPLES[id]!;
  return {
    operationId: id,
    tags: [TAGS.find(([, ofFeature]) => ofFeature === feature)![0]],
    summary,
    description,
    security: [{ signature: [] }],
    parameters: [...parametersOf(schemas, operation), { $ref: "#/components/parameters/Timestamp" }],
    ...(body && {
      requestBody: { required: true, content: contentOf(schemas.refer(body, "request"), example.body!) },
    }),
    responses: {
      "200": { description: "OK.", content: contentOf(schemas.refer(answer, "answer"), example.answer) },
      ...failuresOf(operation),
    },
  };
}

function failuresOf({ body, maybeUnknown, maybeUsed }: ProtocolOperation): JsonObject {
  const named: [status: string, name: keyof typeof ERROR_STATUSES, occurs: unknown][] = [
    ["400", "malformed", true],
    ["401", "unsigned", true],
    ["404", "unknown", maybeUnknown],
    ["409", "used", maybeUsed],
    ["413", "tooLarge", body],
    ["422", "rejected", true],
    ["500", "failed", true],
    ["503", "unavailable", true],
  ];
  const occurring = named.filter(([, , occurs]) => occurs);
  return Object.fromEntries(
    occurring.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}

function parametersOf(schemas: NamedSchemas, { path, query = {} }: ProtocolOperation): JsonObject[] {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return [
    ...named.map((name) => parameterOf(schemas, "path", name, PLACEHOLDERS[name]!)),
    ...Object.entries(query).map(([name, schema]) => parameterOf(schemas, "query", name, schema)),
  ];
}

function parameterOf(schemas: NamedSchemas, place: "path" | "query", name: string, of: TSchema): JsonObject {
  const { description = "", ...schema } = schemas.refer(of, "request");
  return { name, in: place, description, ...(place === "path" && { required: true }), schema };
}

function errorResponse(schemas: NamedSchemas, description: string, example: object): JsonObject {
  return { description, content: contentOf(schemas.refer(ProtocolError, "answer"), example) };
}

function contentOf(schema: JsonObject, example: object): JsonObject {
  return { "application/json": { schema, example: example as JsonObject } };
}
