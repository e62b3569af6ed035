import { carriersClient } from "./carriers.client.ts";
import { type ClientSettings, completeSettings } from "./client-settings.ts";
import { OPERATIONS, type Operations } from "./generated/operator-wire.ts";
import { heldNumbersClient } from "./held-numbers.client.ts";
import { organisationsClient } from "./organisations.client.ts";
import { poolClient } from "./pool.client.ts";
import { restoresClient } from "./restores.client.ts";
import type { CallOptions } from "./transport.ts";
import { trunksClient } from "./trunks.client.ts";
import { usersClient } from "./users.client.ts";
import { type Body, type Query, type WireApi, wireApi } from "./wire-api.ts";

export type * from "./generated/operator-wire.ts";

export type OperatorClient = ReturnType<typeof nouns>;

/** Client for the operator of the installation. Requires an operator's session: API keys do not work. */
export function createOperatorClient(settings: ClientSettings = {}): OperatorClient {
  return nouns(wireApi<Operations>(completeSettings(settings), OPERATIONS));
}

function nouns(api: WireApi<Operations>) {
  return {
    overview: {
      /** Open problems of the installation, and sums over its switches. */
      get: (options?: CallOptions) => api.call("getOperatorOverview", {}, options),
    },
    organisations: organisationsClient(api),
    numbers: heldNumbersClient(api),
    users: usersClient(api),
    audit: installationAudit(api),
    notifications: {
      get: (options?: CallOptions) => api.call("getOperatorNotifications", {}, options),
      /** Replaces all rules. */
      set: (body: Body<"setOperatorNotifications", Operations>, options?: CallOptions) =>
        api.call("setOperatorNotifications", { body }, options),
    },
    calls: allCalls(api),
    switchGroups: {
      list: (query?: Query<"listSwitchGroups", Operations>, options?: CallOptions) =>
        api.list("listSwitchGroups", { query }, options),
      get: (id: string, options?: CallOptions) => api.call("getSwitchGroup", { path: { id } }, options),
      create: (body: Body<"createSwitchGroup", Operations>, options?: CallOptions) =>
        api.call("createSwitchGroup", { body }, options),
    },
    epochs: {
      list: (query?: Query<"listEpochs", Operations>, options?: CallOptions) =>
        api.list("listEpochs", { query }, options),
      resolve: (id: string, options?: CallOptions) => api.call("resolveEpoch", { path: { id } }, options),
    },
    savedStates: {
      list: (query?: Query<"listSavedStates", Operations>, options?: CallOptions) =>
        api.list("listSavedStates", { query }, options),
      /** The agent uploads it within a minute. */
      request: (id: string, options?: CallOptions) =>
        api.call("requestSavedState", { path: { id } }, options),
      items: (id: string, query?: Query<"listSavedStateItems", Operations>, options?: CallOptions) =>
        api.list("listSavedStateItems", { path: { id }, query }, options),
    },
    restores: restoresClient(api),
    switches: switchesClient(api),
    trunks: trunksClient(api),
    carriers: carriersClient(api),
    pool: poolClient(api),
    reconciliations: {
      list: (query?: Query<"listReconciliations", Operations>, options?: CallOptions) =>
        api.list("listReconciliations", { query }, options),
      make: (body: Body<"reconcile", Operations>, options?: CallOptions) =>
        api.call("reconcile", { body }, options),
      findings: (id: string, query?: Query<"listFindings", Operations>, options?: CallOptions) =>
        api.list("listFindings", { path: { id }, query }, options),
      adopt: (finding: string, body: Body<"adoptFinding", Operations>, options?: CallOptions) =>
        api.call("adoptFinding", { path: { id: finding }, body }, options),
      repair: (finding: string, options?: CallOptions) =>
        api.call("repairFinding", { path: { id: finding } }, options),
    },
  };
}

function switchesClient(api: WireApi<Operations>) {
  return {
    list: (query?: Query<"listSwitches", Operations>, options?: CallOptions) =>
      api.list("listSwitches", { query }, options),
    get: (id: string, options?: CallOptions) => api.call("getSwitch", { path: { id } }, options),
    /** Items whose value on the switch is not the expected one, and those that drifted recently. */
    exceptions: (id: string, query?: Query<"listSwitchExceptions", Operations>, options?: CallOptions) =>
      api.list("listSwitchExceptions", { path: { id }, query }, options),
    create: (body: Body<"createSwitch", Operations>, options?: CallOptions) =>
      api.call("createSwitch", { body }, options),
    /** Its state, and how long it may be silent. */
    change: (id: string, body: Body<"changeSwitch", Operations>, options?: CallOptions) =>
      api.call("changeSwitch", { path: { id }, body }, options),
    rotate: (id: string, options?: CallOptions) =>
      api.call("rotateSwitchCredential", { path: { id } }, options),
  };
}

/** Audit entries that concern no organisation. */
function installationAudit(api: WireApi<Operations>) {
  return {
    list: (query?: Query<"listInstallationAudit", Operations>, options?: CallOptions) =>
      api.list("listInstallationAudit", { query }, options),
    /** In commit order, after the entry with the ID `after`. */
    committed: (query?: Query<"listCommittedInstallationAudit", Operations>, options?: CallOptions) =>
      api.list("listCommittedInstallationAudit", { query }, options, "after"),
  };
}

/** Calls of all organisations, and those that matched no number. */
function allCalls(api: WireApi<Operations>) {
  return {
    search: (query?: Query<"searchAllCalls", Operations>, options?: CallOptions) =>
      api.list("searchAllCalls", { query }, options),
    get: (id: string, options?: CallOptions) => api.call("getCallOfAll", { path: { id } }, options),
  };
}
