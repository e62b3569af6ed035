import type { Sent } from "../../../../testing/send.ts";
import { bearer, browser, type Person, type Service, startService } from "../../../../testing/service.ts";
import { makeSwitch, type TestSwitch } from "../../../../testing/walls/switch-callers.ts";
import type { Settings } from "../../../config.ts";
import { newId } from "../../../platform/ids.ts";
import { seedSession } from "../../../seed.ts";
import type { TrunkList } from "../trunks.shown.schema.ts";
import type { SwitchTrunks, TrunkReport } from "../trunks.wire.schema.ts";

export const NETWORK = "198.51.100.0/24";
export const ACME = { name: "acme", direction: "in", sources: [NETWORK], transport: "udp" };
export const GATEWAY = { host: "198.51.100.9", username: "us", password: "correct horse" };

/** A separate switch group, its operator, and its switches. */
export interface TrunkDesk {
  service: Service;
  operator: Person;
  groupId: string;
  path: string;
  revisionsPath: string;
  addSwitch(): Promise<TestSwitch>;
  call(method: string, path: string, body?: object): Promise<Sent>;
  list(): Promise<TrunkList>;
  /** Replaces the list, and confirms the networks that it opens. */
  replace(trunks: object[], forwarding?: object | null): Promise<TrunkList>;
}

export async function openTrunkService(settings: Settings = {}): Promise<{
  service: Service;
  operator: Person;
}> {
  const service = await startService({ settings });
  const operator = await service.person();
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  return { service, operator };
}

export async function openTrunkDesk(service: Service, operator: Person): Promise<TrunkDesk> {
  const groupId = newId();
  await service.database.admin("select add_switch_group($1, $2, 'live', false, 1, now())", [
    groupId,
    `group ${groupId}`,
  ]);
  const path = `/operator/v1/switch-groups/${groupId}/trunks`;
  const call = async (method: string, to: string, body?: object): Promise<Sent> =>
    service.send(method, to, {
      headers: browser(await seedSession(service.app, operator, "browser")),
      ...(body && { body }),
    });
  const ok = ({ status, text, body }: Sent): TrunkList => {
    if (status !== 200) throw new Error(text);
    return body;
  };
  const desk: TrunkDesk = {
    service,
    operator,
    groupId,
    path,
    revisionsPath: `/operator/v1/switch-groups/${groupId}/trunk-revisions`,
    call,
    async addSwitch() {
      const added = await makeSwitch(service, { groupId });
      await service.database.admin("update switches set unreachable_after_seconds = 3600 where id = $1", [
        added.id,
      ]);
      return added;
    },
    list: async () => ok(await call("GET", path)),
    async replace(trunks, forwarding = null) {
      const { revision } = await desk.list();
      const first = await call("PUT", path, { revision, trunks, forwarding });
      if (first.status !== 422) return ok(first);
      const confirmed_networks: string[] = first.body.networks;
      return ok(await call("PUT", path, { revision, trunks, forwarding, confirmed_networks }));
    },
  };
  return desk;
}

/** An agent that applies everything it is sent, unless a test changes `holds`. */
export class PlayedTrunkSwitch {
  holds: TrunkReport = { etag: null, trunks: [], forwarding: { found: null, error: "" } };
  passwords: Record<string, string> = {};
  readonly #service: Service;
  readonly of: TestSwitch;

  constructor(service: Service, of: TestSwitch) {
    this.#service = service;
    this.of = of;
  }

  async report(): Promise<SwitchTrunks> {
    const { status, text, body } = await this.#service.send("PUT", "/switch/v1/trunks", {
      headers: bearer(this.of.credential),
      body: this.holds,
    });
    if (status !== 200) throw new Error(text);
    return body;
  }

  /** Fetches the list, applies it, and reports what it then holds. */
  async apply(): Promise<SwitchTrunks> {
    const sent = await this.report();
    if (sent.trunks) {
      this.passwords = sent.passwords;
      this.holds = {
        etag: sent.etag,
        trunks: sent.trunks.map((found) => ({ name: found.name, found, error: "" })),
        forwarding: { found: sent.forwarding, error: "" },
      };
    }
    return this.report();
  }
}
