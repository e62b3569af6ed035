import { OPERATIONS } from "../../src/operations.ts";
import { newId } from "../../src/platform/ids.ts";
import type { TestCaller } from "../walls/caller-classes.ts";
import type { Neighbours } from "../walls/neighbours.ts";
import { FIXTURES, type PreparedRequest, prepareRequest } from "../walls/request-fixtures.ts";
import type { Contract, ContractOperation, Schema } from "./fuzz-contract.ts";
import { asText, type Draft, escaped, mutate } from "./fuzz-mutations.ts";
import type { Chooser } from "./fuzz-random.ts";
import type { FuzzRequest } from "./fuzz-send.ts";
import type { Known, Values } from "./fuzz-values.ts";

export interface MadeRequest extends FuzzRequest {
  /** False if the path may match no operation. */
  isRouted: boolean;
}

/** Makes the requests to the organisations of one round. */
export interface RequestMaker {
  /** A plain request is one that succeeds. Others use it up, change it or follow the schemas alone. */
  make(
    operation: ContractOperation,
    from: { caller: TestCaller; isAdmitted: boolean },
    of: { choose: Chooser; isPlain: boolean },
  ): Promise<MadeRequest>;
}

interface Tools {
  contract: Contract;
  values: Values;
  known: Known;
  neighbours: Neighbours;
}

const MOST_IDS = 200;

export function openRequestMaker(tools: Tools): RequestMaker {
  const { contract, values, known, neighbours } = tools;
  const prepared = new Map<string, PreparedRequest>();

  /** A request that succeeds: a new one, or one that may be used up. */
  async function preparedFor(
    operation: ContractOperation,
    { holder }: TestCaller,
    isFresh: boolean,
  ): Promise<PreparedRequest | undefined> {
    const name = `${operation.id} ${holder.environment}`;
    const before = prepared.get(name);
    if (before && !isFresh) return before;
    const route = OPERATIONS.find(({ id }) => id === operation.id)!;
    const request = await prepareRequest(neighbours, route, FIXTURES[operation.id]!, holder);
    prepared.set(name, request);
    known.ids.push(...Object.values(request.params));
    known.ids.splice(0, known.ids.length - MOST_IDS);
    return request;
  }

  return {
    async make(operation, { caller, isAdmitted }, { choose, isPlain }) {
      const bodySchema = operation.body && contract.resolve<Schema>(operation.body);
      const isFresh = isPlain || (choose.chance(0.4) && isAdmitted);
      const base = isPlain || choose.chance(0.65) ? await preparedFor(operation, caller, isFresh) : undefined;
      const draft = base ? draftFrom(base) : generated(operation, values, choose);
      draft.headers = { ...draft.headers, ...caller.headers };
      const mutations = isPlain ? 0 : choose.pick([0, 0, 0, 0, 0, 1, 1, 1, 1, 2]);
      for (let count = 0; count < mutations; count++)
        mutate(draft, { operation, values, choose, bodySchema });
      return written(operation, draft);
    },
  };
}

function draftFrom({ params, query, headers, body }: PreparedRequest): Draft {
  return {
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, escaped(value)])),
    query: [...new URLSearchParams(query)],
    headers: { ...headers },
    body,
    isRouted: true,
  };
}

/** From the schemas alone. */
function generated(operation: ContractOperation, values: Values, choose: Chooser): Draft {
  const given = operation.parameters.filter(
    (parameter) => parameter.required || (parameter.in === "query" && choose.chance(0.3)),
  );
  const placed = (place: string): [string, unknown][] =>
    given
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema }) => [name, values.fitting(schema, choose)]);
  const isKeyed = operation.parameters.some(({ name }) => name === "Idempotency-Key");
  return {
    params: Object.fromEntries(placed("path").map(([name, value]) => [name, escaped(value)])),
    query: placed("query").map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(",") : asText(value),
    ]),
    headers: isKeyed && choose.chance(0.9) ? { "idempotency-key": newId() } : {},
    body: operation.body && values.fitting(operation.body, choose),
    isRouted: true,
  };
}

function written(operation: ContractOperation, draft: Draft): MadeRequest {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => draft.params[name]!);
  const query = draft.query.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join("&");
  const body = draft.text ?? (draft.body === undefined ? undefined : JSON.stringify(draft.body));
  return {
    method: operation.method,
    path: query === "" ? path : `${path}?${query}`,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...draft.headers },
    body,
    isEndless: operation.isEndless,
    isRouted: draft.isRouted,
  };
}
