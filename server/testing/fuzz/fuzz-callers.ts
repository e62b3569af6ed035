import { OPERATIONS } from "../../src/operations.ts";
import { CALLER_CLASSES, type CallerClass, type TestCaller } from "../walls/caller-classes.ts";
import type { Neighbours } from "../walls/neighbours.ts";
import { verdictOn } from "../walls/verdict.ts";
import type { Chooser } from "./fuzz-random.ts";

export interface FuzzCaller {
  class: CallerClass;
  caller: TestCaller;
  /** False if the declaration of the operation rejects this kind of caller. */
  isAdmitted: boolean;
}

export interface Callers {
  /** A plain request comes from a caller that the operation admits. */
  forOperation(operationId: string, of: { choose: Chooser; isPlain: boolean }): Promise<FuzzCaller>;
  /** The next request of this kind gets a new caller: this one has ended. */
  renew(one: CallerClass): void;
}

/** A person may leave the organisation or lose a role at any time. Keys last: an organisation can have 50 of them. */
const MOST_USES = 20;
const ADMITTED_SHARE = 0.8;
/** There are fewer kinds of keys than of sessions. */
const KEY_SHARE = 0.3;

export function openCallers(neighbours: Neighbours): Callers {
  const made = new Map<CallerClass, { caller: Promise<TestCaller>; uses: number }>();
  const admitted = new Map(
    OPERATIONS.map(({ id, access }) => [
      id,
      CALLER_CLASSES.filter(({ traits }) => verdictOn(access, traits) === "admitted"),
    ]),
  );
  return {
    async forOperation(operationId, { choose, isPlain }) {
      const welcome = admitted.get(operationId)!;
      const candidates = isPlain || choose.chance(ADMITTED_SHARE) ? welcome : CALLER_CLASSES;
      const keys = candidates.filter(({ traits }) => traits.kind === "api_key");
      const one = choose.pick(keys.length > 0 && choose.chance(KEY_SHARE) ? keys : candidates);
      let current = made.get(one);
      if (!current || (current.uses >= MOST_USES && one.traits.kind === "session")) {
        current = { caller: makeCaller(one, neighbours), uses: 0 };
        made.set(one, current);
        current.caller.catch(() => made.delete(one));
      }
      current.uses++;
      return { class: one, caller: await current.caller, isAdmitted: welcome.includes(one) };
    },
    renew: (one) => void made.delete(one),
  };
}

/**
 * Some callers are the owner, or hold the owner's credential. They get a separate owner, who may sign out or
 * leave, because the main owner prepares all requests.
 */
async function makeCaller(one: CallerClass, neighbours: Neighbours): Promise<TestCaller> {
  const { service, home } = neighbours;
  const owner = await service.person({ [home.organisationId]: "owner" });
  return one.make({ ...neighbours, home: { ...home, owner } });
}
