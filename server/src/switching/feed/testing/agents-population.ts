import type { App } from "../../../app.ts";
import { systemAuthor } from "../../../events/audit/audit.ts";
import { addHoldings } from "../../../numbers/numbers/numbers.ts";
import { createSwitch, createSwitchGroup } from "../../switches/switches.ts";
import { seedKey, seedMembership, seedOrganisation, seedPerson } from "../../../seed.ts";

export interface LoadedNumber {
  id: string;
  /** An API key of its organisation. */
  key: string;
}

export interface AgentsPopulation {
  credentials: string[];
  /** Neighbours in this list belong to different groups, and mostly to different organisations. */
  numbers: LoadedNumber[];
}

const SHARDS_EACH = 2;
const NUMBERS_EACH = 4;
/** Changes of one organisation queue for its events; many organisations do not queue for each other. */
const ORGANISATIONS = 20;
const AT_ONCE = 4;
const AUTHOR = systemAuthor("load");

/** Groups of one switch each, with separate numbers. */
export async function populateAgents(app: App, agents: number): Promise<AgentsPopulation> {
  const holders = await Promise.all(Array.from({ length: ORGANISATIONS }, (_, at) => addHolder(app, at)));
  const groups: { credential: string; numbers: LoadedNumber[] }[] = [];
  for (let from = 0; from < agents; from += AT_ONCE) {
    const places = Array.from({ length: Math.min(AT_ONCE, agents - from) }, (_, at) => from + at);
    groups.push(...(await Promise.all(places.map((at) => addGroup(app, at, holders[at % holders.length]!)))));
  }
  return {
    credentials: groups.map(({ credential }) => credential),
    numbers: Array.from({ length: NUMBERS_EACH }, (_, nth) =>
      groups.map(({ numbers }) => numbers[nth]!),
    ).flat(),
  };
}

interface Holder {
  organisationId: string;
  key: string;
}

async function addHolder(app: App, at: number): Promise<Holder> {
  const organisationId = await seedOrganisation(app, `Organisation ${at}`);
  const owner = await seedPerson(app, { name: `Owner ${at}`, email: `owner-${at}@example.com` });
  await seedMembership(app, organisationId, owner.userId, "owner");
  const { secret } = await seedKey(app, owner, {
    organisationIds: [organisationId],
    environment: "live",
    scopes: ["numbers_write"],
    name: "Load",
  });
  return { organisationId, key: secret };
}

async function addGroup(
  app: App,
  at: number,
  { organisationId, key }: Holder,
): Promise<{ credential: string; numbers: LoadedNumber[] }> {
  const name = `group-${at}`;
  const { id } = await createSwitchGroup(app, AUTHOR, { name, shards: SHARDS_EACH });
  const { credential } = await createSwitch(app, AUTHOR, { name: `switch-${at}`, group_id: id });
  const numbers = Array.from({ length: NUMBERS_EACH }, (_, nth) => ({
    e164: `+4930${20_000_000 + at * NUMBERS_EACH + nth}`,
    country: "DE",
    type: "local",
  }));
  const added = await app.db.forSystem("stock", (tx) =>
    addHoldings(tx, AUTHOR, app.clock.now(), {
      organisationId,
      environment: "live",
      group: name,
      source: "import",
      numbers,
    }),
  );
  return { credential, numbers: added.map((one) => ({ id: one.id!, key })) };
}
