import type { Json, JsonObject } from "./contract.schemas.ts";
import { AT, ID } from "./example-story.ids.ts";
import { REPORTED } from "./example-story.switches.ts";

const SOURCES = ["198.51.100.0/24"];
const settings = {
  direction: "both",
  sources: SOURCES,
  transport: "udp",
  nat: false,
  number_format: {
    international_prefix: "00",
    national_prefix: "0",
    country_code: "49",
    technical_prefix: "",
  },
  trusts_identity: true,
  max_calls: 200,
};
const gateway = {
  host: "198.51.100.9",
  port: 5060,
  username: "us",
  in_trust_domain: false,
  history_info: false,
};
const newSettings = { ...settings, switches: [], gateway: { ...gateway, password: "nuthatch-4711" } };
const shown = {
  name: "acme",
  ...settings,
  switches: [],
  gateway: { ...gateway, password_set_at: AT.installed },
};
const value = { name: "acme", ...settings, gateway: { ...gateway, password_id: "q7Xv0cW2mT6tq2cJ" } };
const forwarding = {
  gateways: [{ trunk: "acme", priority: 1, weight: 1, ping: true }],
  prefixes: ["+49", "+44"],
  calls_per_minute: 60,
  calls_at_once: 10,
};
const stateWith = (held: JsonObject) => ({
  switch_id: ID.switch,
  name: "fra-1",
  status: "applied",
  found: held,
  expected: held,
  error: null,
  observed_at: REPORTED,
});
const list = {
  switch_group_id: ID.switchGroup,
  revision: 4,
  is_managed: true,
  status: "applied",
  trunks: [{ ...shown, status: "applied", states: [stateWith(value)] }],
  forwarding: { ...forwarding, status: "applied", states: [stateWith(forwarding)] },
  switches: [
    {
      id: ID.switch,
      name: "fra-1",
      source: "service",
      status: "applied",
      observed_at: REPORTED,
      file_trunks: [],
      unexpected_trunks: [],
      unexpected_forwarding: null,
    },
  ],
  updated_at: AT.installed,
};
const etag = "5f1c0f9b7c1e7a339d3f3f6a1c0f9b11";

/** By title of the schema. */
export const TRUNK_EXAMPLES: Record<string, Json> = {
  TrunkList: list,
  ReplaceTrunks: {
    revision: 4,
    trunks: [{ name: "acme", ...newSettings }],
    forwarding,
    confirmed_networks: [],
  },
  SetTrunk: { revision: 4, trunk: newSettings, confirmed_networks: [] },
  RestoreTrunks: { to: 3, revision: 4, confirmed_networks: [] },
  TrunkRevision: {
    revision: 4,
    trunks: [shown],
    forwarding,
    opened_networks: SOURCES,
    restored_from: null,
    actor: { id: ID.margaret, name: "Margaret Hamilton" },
    created_at: AT.installed,
  },
  TrunkReport: {
    etag,
    trunks: [{ name: "acme", found: value, error: "" }],
    forwarding: { found: forwarding, error: "" },
  },
  SwitchTrunks: {
    is_managed: true,
    etag,
    trunks: [value],
    forwarding,
    passwords: { q7Xv0cW2mT6tq2cJ: "…" },
  },
};

/** Successful responses that differ from the example of their schema, by operation. */
export const TRUNK_ANSWERS: Record<string, Json> = {
  deleteTrunk: { ...list, revision: 5, trunks: [], forwarding: null, updated_at: AT.now },
};
