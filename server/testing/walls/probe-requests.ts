import { newId } from "../../src/platform/ids.ts";
import type { Fixtures } from "./fixture.ts";
import { numberOf } from "./made-things.ts";
import type { Holder, Neighbours } from "./neighbours.ts";

const CALLER = { trunk: "acme", caller: "+493010009999" };

/** Requests about probes, of organisations, operators and switches. */
export const PROBE_CALL_FIXTURES: Fixtures = {
  createProbe: { params: probedNumber, body: () => ({}) },
  listProbes: { params: numberOf, query: "limit=2" },
  getProbe: { params: probeOf },
  listProbeSchedules: {},
  createProbeSchedule: {
    body: async (neighbours, of) => {
      await allowProbes(neighbours, of);
      return { tag: newId(), every_hours: 24 };
    },
  },
  deleteProbeSchedule: { params: scheduleOf },
  getProbePolicy: { params: async (_, { organisationId }) => ({ id: organisationId }) },
  setProbePolicy: {
    params: async ({ service }) => ({ id: await service.organisation() }),
    body: () => ({ probes_per_day: 5 }),
  },
  getProbeCaller: { params: groupOf },
  setProbeCaller: { params: groupOf, body: () => CALLER },
  syncProbes: { body: () => ({ expecting: [], placed: [], seen: [] }) },
};

async function probedNumber(neighbours: Neighbours, of: Holder): Promise<{ id: string }> {
  await allowProbes(neighbours, of);
  return numberOf(neighbours, of);
}

async function allowProbes({ service }: Neighbours, { organisationId }: Holder): Promise<void> {
  await service.database.admin(
    "insert into probe_policies values ($1, 10000, now()) on conflict do nothing",
    [organisationId],
  );
}

/** A probe that has ended. */
async function probeOf(neighbours: Neighbours, of: Holder): Promise<{ id: string }> {
  const number = await numberOf(neighbours, of);
  const id = newId();
  await neighbours.service.database.admin(
    `insert into probes (id, organisation_id, environment, holding_id, e164, group_id, via, token, status, created_at,
       ends_by, ended_at, links, summary)
     select $1, r.organisation_id, r.environment, r.holding_id, r.e164, r.group_id, 'switch', 'fixture-token-of-a-probe', 'failed',
       now(), now() + interval '1 minute', now(), '[]', 'Fixture.'
     from routings r where r.holding_id = $2`,
    [id, number.id],
  );
  return { id };
}

async function scheduleOf({ service }: Neighbours, of: Holder): Promise<{ id: string }> {
  const id = newId();
  await service.database.admin(
    `insert into probe_schedules (id, organisation_id, environment, tag, via, every_hours, created_by, created_at, updated_at,
       round_at)
     values ($1, $2, $3, $5, 'switch', 24, $4, now(), now(), now() + interval '1 day')`,
    [id, of.organisationId, of.environment, of.person.userId, id],
  );
  return { id };
}

async function groupOf({ service }: Neighbours): Promise<{ id: string }> {
  const [row] = await service.database.admin<{ id: string }>(
    "select id from switch_groups where environment = 'live' limit 1",
  );
  return row!;
}
