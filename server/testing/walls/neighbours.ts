import type { App } from "../../src/app.ts";
import type { Environment } from "../../src/platform/db/database.ts";
import { ENVIRONMENTS } from "../../src/platform/http/access.ts";
import { bearer, type Person, type Service, startService } from "../service.ts";
import { fillWithNumbers } from "./tenant-rows.ts";

/** An organisation with rows in every table, and its owner. */
export interface Tenant {
  organisationId: string;
  owner: Person;
}

/** Two organisations that must not notice each other. */
export interface Neighbours extends AsyncDisposable {
  service: Service;
  home: Tenant;
  other: Tenant;
  /** An unused email address. */
  freshEmail(): string;
}

/** Owner of the resources that a request is about. */
export interface Holder {
  organisationId: string;
  environment: Environment;
  person: { userId: string; name: string; email: string };
}

export async function openNeighbours(overrides: Partial<App> = {}): Promise<Neighbours> {
  const service = await startService({
    overrides,
    settings: { INVENTORY: "pool", EGRESS_ALLOW: "127.0.0.0/8:1024-65535+http" },
  });
  const home = await foundTenant(service, "Home");
  const other = await foundTenant(service, "Other");
  let addresses = 0;
  return {
    service,
    home,
    other,
    freshEmail: () => `fresh-${++addresses}@example.com`,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** Two more organisations on the same service. */
export async function newTenants(neighbours: Neighbours, name: string): Promise<Neighbours> {
  const { service } = neighbours;
  return {
    ...neighbours,
    home: await foundTenant(service, `${name} home`),
    other: await foundTenant(service, `${name} other`),
  };
}

export function tenantOf({ home, other }: Neighbours, organisationId: string): Tenant {
  return organisationId === other.organisationId ? other : home;
}

export function holderOf({ organisationId, owner }: Tenant, environment: Environment = "live"): Holder {
  return { organisationId, environment, person: owner };
}

/** The name occurs in the organisation's data, so that a test can search for it elsewhere. */
async function foundTenant(service: Service, name: string): Promise<Tenant> {
  const organisationId = await service.organisation(`${name} Ltd`);
  const owner = await service.person({ [organisationId]: "owner" });
  for (const environment of ENVIRONMENTS) {
    await service.key(owner, organisationId, ["numbers"], environment);
    const answer = await service.send("POST", "/v1/invitations", {
      headers: {
        ...bearer(owner.token),
        "x-service-environment": environment,
        "idempotency-key": "the first",
      },
      body: {
        email: `${name.toLowerCase().replaceAll(" ", "-")}-${environment}@example.com`,
        role: "member",
      },
    });
    if (answer.status !== 201) throw new Error(`No invitation for ${name}: ${answer.text}`);
    await fillWithNumbers(service, { organisationId, environment, userId: owner.userId });
  }
  return { organisationId, owner };
}
