import { rejectedFailover } from "./rejected-failover.ts";
import { newId } from "../ids.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Service } from "../../../testing/service.ts";

const TRUNK = { name: "acme", direction: "both", sources: [], transport: "udp" };
const NETWORK = "198.51.100.0/24";

/** A request for each error of trunks, and of switches that are too old, each in a separate switch group. */
export function rejectedTrunks(service: () => Service) {
  const group = async () => {
    const { token, userId } = await service().person();
    await service().database.admin("update users set is_operator = true where id = $1", [userId]);
    const headers = bearer(token);
    const { body } = await service().send("POST", "/operator/v1/switch-groups", {
      headers,
      body: { name: newId(), shards: 1 },
    });
    const path = `/operator/v1/switch-groups/${body.id}`;
    return (method: string, rest: string, sent?: object): Promise<Sent> =>
      service().send(method, path + rest, { headers, body: sent });
  };
  const withForwarding = async () => {
    const send = await group();
    const trunk = { ...TRUNK, sources: [NETWORK], gateway: { host: "198.51.100.9" } };
    const forwarding = { gateways: [{ trunk: "acme" }], prefixes: ["+49"] };
    await send("PUT", "/trunks", { revision: 0, trunks: [trunk], forwarding, confirmed_networks: [NETWORK] });
    return send;
  };
  return {
    switches_outdated: rejectedFailover,
    trunks_changed: async () =>
      (await group())("PUT", "/trunks", { revision: 7, trunks: [], forwarding: null }),
    networks_not_confirmed: async () =>
      (await group())("PUT", "/trunks", {
        revision: 0,
        trunks: [{ ...TRUNK, direction: "in", sources: [NETWORK] }],
        forwarding: null,
      }),
    trunk_not_found: async () => (await group())("DELETE", "/trunks/acme"),
    trunk_in_use: async () => (await withForwarding())("DELETE", "/trunks/acme"),
    trunk_revision_not_found: async () =>
      (await group())("POST", "/trunk-revisions/restore", { to: 7, revision: 0 }),
  };
}
