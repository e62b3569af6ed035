import type { Fixtures } from "./fixture.ts";
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
