import { systemAuthor } from "../src/events/audit/audit.ts";
import { advanceJob } from "../src/numbers/jobs/jobs.ts";
import { addHoldings } from "../src/numbers/numbers/numbers.ts";
import { advanceRelease } from "../src/numbers/releases/releases.advance.ts";
import { endRests } from "../src/numbers/releases/releases.restore.ts";
import { newId } from "../src/platform/ids.ts";
import { PlayedSwitch } from "./played-switch.ts";
import { onlyCarrier, type ScriptedCarrier, scriptedCarrier } from "./scripted-carrier.ts";
import type { Sent } from "./send.ts";
import { bearer, type Person, type Service, startService } from "./service.ts";

export interface StagedNumber {
  id: string;
  e164: string;
  shard: number;
  /** Feed version that stops its calls. 0 if it is not released. */
  version: number;
  jobId: string | undefined;
  /** Whether a request about this release was sent to the carrier. */
  isCarrierNotified: boolean;
}

/** A return to the carrier, and the switches that might still have taken calls at that time. */
export interface Telling {
  e164: string;
  at: number;
  stragglers: string[];
}

/** The service with a scripted carrier, a user who releases numbers, and the operator of the switches. */
export interface ReleaseDesk extends AsyncDisposable {
  service: Service;
  carrier: ScriptedCarrier;
  owner: Person;
  tellings: Telling[];
  /** A separate group of switches, and numbers that all of them route. */
  stage(switches: number, numbers: number): Promise<ReleaseStage>;
}

export const ROUTE = { mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com" };
const AUTHOR = systemAuthor("test");

export async function openReleaseDesk(options: { worker?: boolean } = {}): Promise<ReleaseDesk> {
  const stages: ReleaseStage[] = [];
  const tellings: Telling[] = [];
  const carrier = scriptedCarrier();
  const { release } = carrier.ordering;
  Object.assign(carrier.ordering, {
    release: ((of, wanted) => {
      const stage = stages.find(({ numbers }) => numbers.some(({ e164 }) => e164 === wanted.e164))!;
      const number = stage.numbers.find(({ e164 }) => e164 === wanted.e164)!;
      const stragglers = stage.stragglers(number).map(({ name }) => name);
      number.isCarrierNotified = true;
      tellings.push({ e164: wanted.e164, at: performance.now(), stragglers });
      return release(of, wanted);
    }) satisfies typeof release,
    restore: async () => "restored" as const,
  });
  const service = await startService({ ...options, overrides: { carriers: onlyCarrier(carrier) } });
  const organisation = await service.organisation();
  const owner = await service.person({ [organisation]: "owner" });
  await service.database.admin("update users set is_operator = true where id = $1", [owner.userId]);
  // Many histories take longer than an operator's password is taken for fresh.
  await service.database.admin(
    "update sessions set reauthenticated_at = now() + interval '2 hours' where user_id = $1",
    [owner.userId],
  );

  const desk: ReleaseDesk = {
    service,
    carrier,
    owner,
    tellings,
    async stage(switches, numbers) {
      const stage = await setStage(desk, organisation, numbers);
      stages.push(stage);
      for (let at = 0; at < switches; at++) await stage.addSwitch();
      await Promise.all(stage.switches.map((one) => one.readBack()));
      return stage;
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
  return desk;
}

let staged = 0;
/** Few, so that a report of all of them is short; several, so that numbers do not all share one. */
const SHARDS = 2;

async function setStage(desk: ReleaseDesk, organisationId: string, count: number): Promise<ReleaseStage> {
  const { app, database } = desk.service;
  const name = `group ${++staged}`;
  const group = await request(desk, "POST", "/operator/v1/switch-groups", { name, shards: SHARDS });
  const numbers = Array.from({ length: count }, (_, at) => ({
    e164: `+44207${staged * 10 + at + 1_000_000}`,
    country: "GB",
    type: "local",
  }));
  const added = await app.db.forSystem("stock", (tx) =>
    addHoldings(tx, AUTHOR, app.clock.now(), {
      organisationId,
      environment: "live",
      group: name,
      source: "import",
      carrier: desk.carrier.name,
      numbers,
    }),
  );
  const rows = await database.admin<{ id: string; e164: string; shard: number }>(
    "select holding_id as id, e164, shard from routings where holding_id = any ($1) order by e164",
    [added.map(({ id }) => id)],
  );
  const stage = new ReleaseStage(
    desk,
    group.body.id,
    rows.map((row) => ({ ...row, version: 0, jobId: undefined, isCarrierNotified: false })),
  );
  await Promise.all(stage.numbers.map((number) => stage.route(number, ROUTE)));
  return stage;
}

async function request(
  { service, owner }: ReleaseDesk,
  method: string,
  path: string,
  body?: unknown,
): Promise<Sent> {
  const headers = { ...bearer(owner.token), "idempotency-key": newId() };
  return service.send(method, path, { headers, ...(body !== undefined && { body }) });
}

/** One group of switches and what can happen to it. No worker: a test takes the turns itself. */
export class ReleaseStage {
  readonly #desk: ReleaseDesk;
  readonly #groupId: string;
  readonly switches: PlayedSwitch[] = [];
  readonly numbers: StagedNumber[];

  constructor(desk: ReleaseDesk, groupId: string, numbers: StagedNumber[]) {
    this.#desk = desk;
    this.#groupId = groupId;
    this.numbers = numbers;
  }

  /** Switches that might still take calls for a number, according to their reports. */
  stragglers(number: StagedNumber): PlayedSwitch[] {
    return this.switches.filter((one) => !one.isRetired && !one.saidUnrouted(number));
  }

  async addSwitch(): Promise<PlayedSwitch> {
    const name = "abcdefgh"[this.switches.length]!;
    const wanted = { name, group_id: this.#groupId };
    const { body } = await request(this.#desk, "POST", "/operator/v1/switches", wanted);
    const made = { id: body.id, name, groupId: this.#groupId, credential: body.credential };
    const added = new PlayedSwitch(this.#desk.service, made);
    this.switches.push(added);
    return added;
  }

  async operate(one: PlayedSwitch, state: "active" | "draining" | "retired"): Promise<void> {
    const { status, text } = await request(this.#desk, "PATCH", `/operator/v1/switches/${one.id}`, { state });
    if (status !== 200) throw new Error(text);
    if (state === "retired") one.retire();
    else one.isRetired = false;
  }

  async rotate(one: PlayedSwitch): Promise<string> {
    const before = one.credential;
    const { body } = await request(this.#desk, "POST", `/operator/v1/switches/${one.id}/rotate`);
    one.credential = body.credential;
    return before;
  }

  route({ id }: StagedNumber, desired: object): Promise<Sent> {
    return request(this.#desk, "PUT", `/v1/numbers/${id}/routing`, desired);
  }

  /** Requests the release. Stores the job of an accepted request. */
  async release(number: StagedNumber): Promise<Sent> {
    const answer = await request(this.#desk, "POST", `/v1/numbers/${number.id}/release`);
    if (answer.status !== 202) return answer;
    number.jobId = answer.body.job_id;
    const [told] = await this.#desk.service.database.admin<{ version: number }>(
      "select max(version)::integer as version from feed_items where item_id = $1",
      [number.id],
    );
    Object.assign(number, { version: told!.version, isCarrierNotified: false });
    return answer;
  }

  async restore(number: StagedNumber): Promise<Sent> {
    const answer = await request(this.#desk, "POST", `/v1/numbers/${number.id}/restore`);
    if (answer.status === 202) number.jobId = answer.body.job_id;
    return answer;
  }

  /** A worker continues with a number's job, as if it had waited long enough. The job afterwards. */
  async turn(number: StagedNumber): Promise<Sent["body"]> {
    const { app, database } = this.#desk.service;
    await database.admin("update jobs set next_check_at = $2 where id = $1 and status = 'waiting'", [
      number.jobId,
      app.clock.now(),
    ]);
    for (const one of this.switches) if (one.isAway) await one.fallSilent();
    await advanceJob(app, number.jobId!, (job) => advanceRelease(app, job, 0));
    return this.job(number);
  }

  async job({ jobId }: StagedNumber): Promise<Sent["body"]> {
    return (await request(this.#desk, "GET", `/v1/jobs/${jobId}`)).body;
  }

  async number({ id }: StagedNumber): Promise<Sent["body"]> {
    return (await request(this.#desk, "GET", `/v1/numbers/${id}`)).body;
  }

  async routing({ id }: StagedNumber): Promise<Sent["body"]> {
    return (await request(this.#desk, "GET", `/v1/numbers/${id}/routing`)).body;
  }

  /** Its rest has ended, as far as time goes. */
  async endTime({ id }: StagedNumber): Promise<void> {
    const { admin } = this.#desk.service.database;
    await admin(
      "update releases set quarantined_until = now() - interval '1 second' where holding_id = $1 and quarantined_until is not null",
      [id],
    );
  }
  /** Its rest ends, if the switches allow. */
  async endRest(number: StagedNumber): Promise<void> {
    await this.endTime(number);
    await endRests(this.#desk.service.app);
  }
}
