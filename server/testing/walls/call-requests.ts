import { callRecord } from "../call-record.ts";
import { bearer } from "../service.ts";
import type { Fixtures } from "./fixture.ts";
import { numberOf } from "./made-things.ts";
import type { Holder, Neighbours } from "./neighbours.ts";
import { makeSwitch } from "./switch-callers.ts";

/** Requests about single calls, and about the timeline of a number. */
export const CALL_FIXTURES: Fixtures = {
  listCalls: { params: numberOf, isOfOneSide: true, query: "limit=2" },
  exportCalls: { params: numberOf, isOfOneSide: true },
  getOverview: {},
  searchCalls: { query: "limit=2" },
  exportFoundCalls: {},
  listTimeline: { params: numberOf, isOfOneSide: true, query: "limit=2" },
  getCall: { params: callOf, isOfOneSide: true },
  searchAllCalls: { query: "limit=2" },
  getCallOfAll: { params: callOf },
};

/** A call that a switch of the environment has reported. */
async function callOf(neighbours: Neighbours, of: Holder): Promise<{ id: string }> {
  const { credential } = await makeSwitch(neighbours.service, { environment: of.environment });
  const record = callRecord({ number_id: (await numberOf(neighbours, of)).id });
  const { status } = await neighbours.service.send("POST", "/switch/v1/call-records", {
    headers: bearer(credential),
    body: { records: [record] },
  });
  if (status !== 200) throw new Error(`The report of a call was rejected with ${status}.`);
  return { id: record.id };
}
