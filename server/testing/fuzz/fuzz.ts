import { Agent } from "node:http";
import { type Neighbours, newTenants } from "../walls/neighbours.ts";
import { type Callers, type FuzzCaller, openCallers } from "./fuzz-callers.ts";
import { type Contract, type ContractOperation, readContract } from "./fuzz-contract.ts";
import { type Judge, openJudge } from "./fuzz-judge.ts";
import { chooserFor } from "./fuzz-random.ts";
import { FuzzReport } from "./fuzz-report.ts";
import { type MadeRequest, openRequestMaker, type RequestMaker } from "./fuzz-requests.ts";
import { sendFuzz } from "./fuzz-send.ts";
import { type Known, openValues } from "./fuzz-values.ts";

/** Requests that run at the same time. */
const CONCURRENCY = 8;
/** Each time, an operation that has not succeeded yet gets a request that nothing has been changed in. */
const PLAIN_EVERY = 3;
const PLAIN_TRIES = 8;

export interface Fuzzer {
  report: FuzzReport;
  /** Sends requests to new organisations, so that those of earlier rounds, used up or full, do not matter. */
  round(requests: number): Promise<void>;
}

interface Target {
  contract: Contract;
  judge: Judge;
  report: FuzzReport;
  url: URL;
  seed: number;
}

/** The organisations of a round, and what calls them. */
interface Round {
  agent: Agent;
  callers: Callers;
  maker: RequestMaker;
  known: Known;
}

/** Sends requests made from the contract to an API, and judges every response. */
export function openFuzzer(of: { neighbours: Neighbours; url: string; seed: number }): Fuzzer {
  const contract = readContract();
  const report = new FuzzReport();
  const target: Target = {
    contract,
    report,
    judge: openJudge(contract),
    url: new URL(of.url),
    seed: of.seed,
  };
  let rounds = 0;
  let next = 0;
  return {
    report,
    async round(requests) {
      using agent = openAgent();
      const neighbours = await newTenants(of.neighbours, `Round ${++rounds}`);
      const known: Known = { ids: [], cursors: [] };
      const values = openValues(contract, known);
      const maker = openRequestMaker({ contract, known, neighbours, values });
      const round: Round = { agent, callers: openCallers(neighbours), maker, known };
      const end = next + requests;
      const work = async (): Promise<void> => {
        while (next < end && !report.isUnreachable) await sendOne(target, round, next++);
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
      // Concurrent requests can take away what a plain one needs, so the last ones are alone.
      for (let tries = 0; tries < PLAIN_TRIES; tries++)
        for (const operation of contract.operations)
          if (!report.hasSucceeded(operation) && !report.isUnreachable)
            await sendTo(target, round, { operation, index: next++, isPlain: true });
    },
  };
}

/** The index decides the operation and, with the seed, everything else that is chosen. */
async function sendOne(target: Target, round: Round, index: number): Promise<void> {
  const { contract, report } = target;
  const operation = contract.operations[index % contract.operations.length]!;
  const pass = Math.floor(index / contract.operations.length);
  const isPlain = pass % PLAIN_EVERY === PLAIN_EVERY - 1 && !report.hasSucceeded(operation);
  await sendTo(target, round, { operation, index, isPlain });
}

async function sendTo(
  target: Target,
  round: Round,
  { operation, index, isPlain }: { operation: ContractOperation; index: number; isPlain: boolean },
): Promise<void> {
  const { report } = target;
  const choose = chooserFor(target.seed, index);
  try {
    const from = await round.callers.forOperation(operation.id, { choose, isPlain });
    const request = await round.maker.make(operation, from, { choose, isPlain });
    await judgeOne(target, round, { operation, from, request, index });
  } catch (error) {
    // A request at the same time can end the session that this one is prepared with.
    report.skip(operation, error);
  }
}

interface Trial {
  operation: ContractOperation;
  from: FuzzCaller;
  request: MadeRequest;
  index: number;
}

async function judgeOne(target: Target, round: Round, trial: Trial): Promise<void> {
  const { judge, report, url } = target;
  const { operation, from, request, index } = trial;
  const caller = from.class.name;
  const response = await sendFuzz(url, round.agent, request).catch((error: unknown) => String(error));
  if (typeof response === "string")
    return report.find(operation, request, { caller, index, fault: `no response: ${response}` });
  const faults = request.isRouted ? judge.faultsOf(operation, response) : judge.faultsElsewhere(response);
  for (const fault of faults) report.find(operation, request, { caller, index, fault });
  report.count(operation, caller, response);
  if (response.status === 401 || response.text.includes('"organisation_not_allowed"'))
    round.callers.renew(from.class);
  remember(round.known, response.text);
}

function openAgent(): Agent & Disposable {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  return Object.assign(agent, { [Symbol.dispose]: () => agent.destroy() });
}

/** IDs and cursors for later requests; not those of members, who must stay. */
function remember(known: Known, text: string): void {
  const id = /^\{"id":"([0-9a-f-]{36})"/.exec(text)?.[1];
  if (id) known.ids.push(id);
  const cursor = /"next_cursor":"([^"]+)"/.exec(text)?.[1];
  if (cursor) known.cursors.push(cursor);
}
