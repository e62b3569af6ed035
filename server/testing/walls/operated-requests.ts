import type { Fixtures } from "./fixture.ts";
import { newId } from "../../src/platform/ids.ts";
import { makeSwitch } from "./switch-callers.ts";
import { carrierOf, newCarrier, numberOf, poolCarrierOf } from "./made-things.ts";
import type { Holder, Neighbours } from "./neighbours.ts";

/** Operator's requests about organisations and their numbers. */
export const OPERATED_FIXTURES: Fixtures = {
  createOrganisation: { body: () => ({ name: "One more" }) },
  listOrganisations: { query: "limit=2" },
  getOrganisation: { params: async (_, { organisationId }) => ({ id: organisationId }) },
  suspendOrganisation: { params: newOrganisation, body: () => ({ reason: "Fixture" }) },
  resumeOrganisation: { params: newOrganisation },
  getForwarding: { params: newOrganisation },
  setForwarding: { params: newOrganisation, body: () => ({}) },
  listInstallationAudit: { query: "limit=2" },
  listCommittedInstallationAudit: { query: "limit=2" },
  listCarriers: { query: "limit=2" },
  createCarrier: { body: newCarrier },
  getCarrier: { params: carrierOf },
  listCarrierTrunks: { params: poolCarrierOf },
  changeCarrier: { params: carrierOf, body: () => ({ preference: 900 }) },
  getTrunks: { params: newGroup },
  replaceTrunks: {
    params: newGroup,
    body: () => ({
      revision: 0,
      trunks: [TRUNK],
      forwarding: { gateways: [{ trunk: "acme" }], prefixes: ["+49"] },
      confirmed_networks: TRUNK.sources,
    }),
  },
  setTrunk: {
    params: async (neighbours) => ({ ...(await newGroup(neighbours)), name: "acme" }),
    body: () => {
      const { name: _, ...trunk } = TRUNK;
      return { trunk, confirmed_networks: TRUNK.sources };
    },
  },
  deleteTrunk: {
    params: async (neighbours) => ({ ...(await groupWithTrunk(neighbours)), name: TRUNK.name }),
  },
  listTrunkRevisions: { params: groupWithTrunk, query: "limit=2" },
  restoreTrunks: { params: groupWithTrunk, body: () => ({ to: 1, revision: 1 }) },
  listHeldNumbers: { query: "limit=2" },
  getHeldNumber: { params: liveNumber },
  suspendNumber: { params: liveNumber, body: () => ({ reason: "fixture" }) },
  resumeNumber: { params: liveNumber },
};

async function newOrganisation({ service }: Neighbours): Promise<{ id: string }> {
  return { id: await service.organisation() };
}

async function liveNumber(neighbours: Neighbours, of: Holder): Promise<{ id: string }> {
  return numberOf(neighbours, { ...of, environment: "live" });
}

const TRUNK = {
  name: "acme",
  direction: "both",
  sources: ["198.51.100.0/24"],
  transport: "udp",
  gateway: { host: "198.51.100.9" },
};
const STORED_TRUNK = {
  ...TRUNK,
  nat: false,
  number_format: { international_prefix: "", national_prefix: "", country_code: "", technical_prefix: "" },
  trusts_identity: false,
  max_calls: 0,
  switches: [],
  direction: "in",
  gateway: null,
};

/** A group of the live environment with a switch. */
async function newGroup({ service }: Neighbours): Promise<{ id: string }> {
  const id = newId();
  await service.database.admin("select add_switch_group($1, $2, 'live', false, 1, now())", [
    id,
    `group ${id}`,
  ]);
  await makeSwitch(service, { groupId: id });
  return { id };
}

async function groupWithTrunk(neighbours: Neighbours): Promise<{ id: string }> {
  const { id } = await newGroup(neighbours);
  await neighbours.service.database.admin(
    `insert into trunk_revisions (switch_group_id, revision, document, opened_networks, created_at)
     values ($1, 1, $2, '{}', now())`,
    [id, JSON.stringify({ trunks: [STORED_TRUNK], forwarding: null })],
  );
  return { id };
}
