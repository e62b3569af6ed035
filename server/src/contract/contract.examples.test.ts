import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type TSchema, Type } from "typebox";
import { describe, expect, test } from "vitest";
import { EVENT_TYPES, EVENTS } from "../events/events/events.catalogue.ts";
import { OPERATIONS } from "../operations.ts";
import { shape } from "../platform/http/shapes.ts";
import { resolved } from "./contract.compatibility-of-schemas.ts";
import { examplesIn, faultsOf, isOrdered } from "./contract.example-faults.ts";
import { type Audience, openApiOf } from "./contract.openapi.ts";
import { isObject, type Json, type JsonObject, wordOf } from "./contract.schemas.ts";
import { EVENT_ID, STORY_EVENTS } from "./example-story.events.ts";
import { AT, ID } from "./example-story.ids.ts";
import { STORY, STORY_ANSWERS, STORY_IDS, STORY_PARAMETERS, STORY_PATHS } from "./example-story.ts";

const AUDIENCES: Audience[] = ["callers", "operator", "switches"];
const DOCUMENTS = new Map(AUDIENCES.map((audience) => [audience, openApiOf(OPERATIONS, audience)]));

interface Described {
  operationId: string;
  parameters: JsonObject[];
  requestBody?: { content: JsonObject };
  responses: Record<string, { content?: JsonObject }>;
}

describe.each(AUDIENCES)("the examples for %s", (audience) => {
  const document = DOCUMENTS.get(audience)!;

  test("fit their schemas", () => {
    expect(invalidIn(document)).toEqual([]);
  });

  test("contradict neither themselves nor the story", () => {
    const examples = examplesIn(document);

    expect(examples.length).toBeGreaterThan(50);
    expect(examples.flatMap((one) => faultsOf(one, STORY_IDS))).toEqual([]);
  });

  test("exist for every JSON body and every parameter", () => {
    expect(operationsOf(document).flatMap(unexampledIn)).toEqual([]);
  });

  test("of `from` and `to` are in order", () => {
    const disordered = operationsOf(document).filter(
      ({ parameters }) => !isOrdered(parameterValue(parameters, "from"), parameterValue(parameters, "to")),
    );

    expect(disordered.map(({ operationId }) => operationId)).toEqual([]);
  });
});

test("shows no field that a response does not have", () => {
  const documents = [...DOCUMENTS.values()].flatMap(operationsOf);
  const faults = OPERATIONS.flatMap(({ id, answers }) => {
    const { responses } = documents.find(({ operationId }) => operationId === id)!;
    return Object.entries(answers).flatMap(([status, schema]) => {
      const [media] = Object.values(responses[status]!.content ?? {}) as { example: Json }[];
      return schema && !fits(schema, media!.example) ? [`${id} ${status}`] : [];
    });
  });

  expect(faults).toEqual([]);
});

test("shows no data that an event does not have", () => {
  const faults = EVENT_TYPES.filter((type) => {
    const schema = Type.Object(EVENTS[type].data, { additionalProperties: false });
    return !fits(schema, STORY_EVENTS[type]!["data"]!);
  });

  expect(faults).toEqual([]);
});

describe("the story", () => {
  test("has no example without a schema, an operation or a path", () => {
    const titles = new Set(
      [...DOCUMENTS.values()].flatMap(({ components }) =>
        Object.keys((components as { schemas: JsonObject }).schemas),
      ),
    );
    const ids = new Set<string>(OPERATIONS.map(({ id }) => id));
    const isUsed = (path: string) => OPERATIONS.some((one) => one.path.startsWith(`${path}/{`));

    expect(Object.keys(STORY).filter((title) => !titles.has(title))).toEqual([]);
    expect([STORY_ANSWERS, STORY_PARAMETERS].flatMap(Object.keys).filter((id) => !ids.has(id))).toEqual([]);
    expect(Object.keys(STORY_PATHS).filter((path) => !isUsed(path))).toEqual([]);
  });

  test("has one event of each type, in the order of their times", () => {
    const times = Object.values(STORY_EVENTS).map((event) => wordOf(event["created_at"]));

    expect(Object.keys(STORY_EVENTS).toSorted()).toEqual(EVENT_TYPES.toSorted());
    expect(times).toEqual(times.toSorted());
  });

  test("has distinct IDs", () => {
    expect(STORY_IDS.size).toBe([ID, EVENT_ID].flatMap(Object.keys).length);
  });
});

describe("a fault is found:", () => {
  const early = AT.founded;
  const late = AT.now;
  const counts = { calls: 3, answered: 1, busy: 1, no_answer: 0, cancelled: 1, rejected: 0, failed: 0 };
  const hour = { ...counts, talk_seconds: 60, forwarded_seconds: 0 };

  test.each<[string, Json, string]>([
    ["a placeholder", { label: "text" }, "a placeholder"],
    ["an unknown ID", { id: "0198c5f2-0000-7000-8000-000000000000" }, "is not an ID of the story"],
    ["an unknown ID in a table", "id\r\n0198c5f2-0000-7000-8000-000000000000\r\n", "is not an ID"],
    [
      "a field of another mode",
      { mode: "forward", forward_to: "+49", sip_uri: "sip:a" },
      "sip_uri in mode forward",
    ],
    ["a queued job that has finished", { status: "queued", finished_at: late }, "contradicts queued"],
    ["a finished job without its end", { status: "succeeded", finished_at: null }, "contradicts succeeded"],
    ["a queued job that has started", { status: "queued", started_at: late }, "started_at while queued"],
    ["an active number with a release", { status: "active", released_at: late }, "contradicts active"],
    ["a routing in sync with an error", { status: "in_sync", last_error: "No memory" }, "while in_sync"],
    ["a switch in sync with an error", { status: "in_sync", switches: [{ error: "No" }] }, "while in_sync"],
    ["a refused call that was answered", { ending: "refused", answered_at: late }, "contradicts refused"],
    [
      "talk time without an answer",
      { ending: "refused", answered_at: null, talk_seconds: 9 },
      "talk time of an unanswered call",
    ],
    ["an empty window", { from: late, to: late }, "from is not before to"],
    ["revisions in the wrong order", { from: 3, to: 2 }, "from is not before to"],
    [
      "an update before the creation",
      { created_at: late, updated_at: early },
      "created_at is after updated_at",
    ],
    [
      "an expiry before the creation",
      { created_at: late, expires_at: early },
      "created_at is after expires_at",
    ],
    ["calls that do not add up", { ...counts, calls: 4 }, "calls is not the sum of its parts"],
    [
      "hours that do not add up",
      { totals: hour, buckets: [{ ...hour, talk_seconds: 59 }] },
      "talk_seconds is not the sum of buckets",
    ],
    ["a pool that does not add up", { total: 3, free: 1, held: 1 }, "total is not the sum of its parts"],
    [
      "a bulk change that does not add up",
      { total: 3, set: 1, unchanged: 1, stale: 0, failed: 0 },
      "total is not the sum of its parts",
    ],
  ])("%s", (_, value, fault) => {
    const [example] = examplesIn({ paths: [{ example: { data: [value] } }] });

    expect(faultsOf(example!, STORY_IDS)).toEqual([expect.stringContaining(fault)]);
  });

  test("a value that does not fit its schema", () => {
    const media = { schema: { type: "string" }, example: 7 };
    const named = { schema: { type: "string" }, examples: { example: { value: 7 } } };

    expect(invalidIn({ paths: { media, named } })).toHaveLength(2);
    expect(invalidIn({ components: { schemas: { A: { type: "string", examples: [7] } } } })).toHaveLength(1);
  });

  test("a field that the response does not have", () => {
    expect(fits(shape("Thing", { name: Type.String() }), { name: "Sales", label: "Sales" })).toBe(false);
  });

  test("a body or parameter without an example", () => {
    const content = { "application/json": { schema: {} } };
    const parameters = [{ name: "limit", in: "query" }];

    expect(
      unexampledIn({
        operationId: "a",
        parameters,
        requestBody: { content },
        responses: { 201: { content } },
      }),
    ).toEqual(["a: parameter limit", "a: request", "a: 201"]);
  });
});

test("finds examples of bodies, parameters, problems and schemas", () => {
  const document = {
    body: { example: 1 },
    parameter: { examples: { example: { value: 2 }, elsewhere: { $ref: "#" } } },
    schema: { examples: [3] },
  };

  expect(examplesIn(document).map(({ value }) => value)).toEqual([1, 2, 3]);
});

/** Examples that do not fit the schema next to them. */
function invalidIn(document: JsonObject): string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...document, $id: "contract" });
  const checks = new Map<string, ValidateFunction>();
  const checkOf = (schema: JsonObject): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"contract#');
    const check = checks.get(text) ?? ajv.compile(JSON.parse(text) as JsonObject);
    checks.set(text, check);
    return check;
  };
  return exampledIn(document, document, "#").flatMap(({ place, schema, value }) => {
    const isValid = checkOf(schema);
    return isValid(value) ? [] : [`${place}: ${wordOf(value)} ${ajv.errorsText(isValid.errors)}`];
  });
}

/** Examples with their schemas. Errors refer to the examples of their codes. */
function exampledIn(
  document: JsonObject,
  part: JsonObject,
  place: string,
): { place: string; schema: JsonObject; value: Json }[] {
  const { schema, example, examples } = part;
  const named = Object.values(isObject(examples) ? examples : {}).map((one) =>
    resolved(document, one as JsonObject),
  );
  const beside = [...(example === undefined ? [] : [example]), ...named.map(({ value }) => value!)];
  const own = Array.isArray(examples) ? examples : [];
  return [
    ...own.map((value) => ({ place, schema: part, value })),
    ...(isObject(schema) ? beside.map((value) => ({ place, schema, value })) : []),
    ...Object.entries(part).flatMap(([name, one]) =>
      typeof one === "object" && one !== null && !name.startsWith("example")
        ? exampledIn(document, one as JsonObject, `${place}/${name}`)
        : [],
    ),
  ];
}

function operationsOf({ paths, webhooks = {} }: JsonObject): Described[] {
  const items = [paths, webhooks].flatMap((all) => Object.values(all as Record<string, JsonObject>));
  return items.flatMap((item) => Object.values(item) as unknown as Described[]);
}

function unexampledIn({ operationId, parameters, requestBody, responses }: Described): string[] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const bodies: [string, JsonObject | undefined][] = [
    ["request", requestBody?.content],
    ...successes.map(([status, { content }]): [string, JsonObject | undefined] => [status, content]),
  ];
  const isMissing = (media: Json | undefined) => isObject(media) && media["example"] === undefined;
  return [
    ...parameters
      .filter((one) => !one["$ref"] && !one["example"] && !one["examples"])
      .map(({ name }) => `${operationId}: parameter ${wordOf(name)}`),
    ...bodies
      .filter(([, content]) => Object.values(content ?? {}).some(isMissing))
      .map(([place]) => `${operationId}: ${place}`),
  ];
}

function parameterValue(parameters: JsonObject[], name: string): Json | undefined {
  const found = parameters.find((one) => one["name"] === name);
  const { example } = (found?.["examples"] ?? {}) as { example?: { value: Json } };
  return found?.["example"] ?? example?.value;
}

/** Responses are closed here. The document opens them, so that they can grow. */
function fits(schema: TSchema, example: Json): boolean {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return ajv.validate(JSON.parse(JSON.stringify(schema)) as JsonObject, example);
}
