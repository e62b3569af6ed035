import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallBench } from "./call-bench.ts";
import { openBench } from "./call-bench.ts";
import { newAddress } from "./loopback.ts";
import { answerWith, type Manners, type Phone } from "./phone.ts";
import type { RecordRow } from "./record-rows.ts";
import { headerOf } from "./sip-message.ts";

/** One entry of `forward.gateways`, and settings of its trunk. */
export interface GatewayPlan {
  name: string;
  priority?: number;
  weight?: number;
  ping?: boolean;
  transport?: "udp" | "tcp";
  max_calls?: number;
  password?: string;
  gateway?: Record<string, unknown>;
}

/** A switch with several gateways, each of which answers calls at first. */
export interface GatewayBench extends CallBench {
  /** By the trunk's name. */
  gateways: Record<string, Phone>;
  /** A number that forwards its calls, at the cost of an organisation if one is given. */
  forwarded(to?: string, payer?: string): Promise<string>;
  /** Number of calls in a dialog profile. */
  sizeOf(profile: string, value: string): Promise<number>;
}

const PORT = 5080;
export const TO = "+442079460000";

export async function openGatewayBench(
  plans: readonly GatewayPlan[],
  settings: Record<string, unknown> & { forward?: object } = {},
  trunkSettings: Record<string, unknown> = {},
): Promise<GatewayBench> {
  const folder = mkdtempSync(join(tmpdir(), "dialplane-gateways-"));
  const addresses = plans.map(() => newAddress());
  const trunks = plans.map(({ name, transport = "udp", max_calls = 0, password, gateway }, index) => {
    const login = { username: "bob", password_file: join(folder, name) };
    if (password !== undefined) writeFileSync(login.password_file, `${password}\n`);
    const place = { host: addresses[index]!, port: PORT, ...(password === undefined ? {} : login) };
    return { name, direction: "out", transport, max_calls, gateway: { ...place, ...gateway } };
  });
  const gateways = plans.map(({ name: trunk, priority, weight, ping }) => ({
    trunk,
    priority,
    weight,
    ping,
  }));
  const { forward, ...others } = settings;
  const bench = await openBench((caller) => ({
    trunks: [
      { name: "carrier", direction: "in", sources: [caller], transport: "udp", ...trunkSettings },
      ...trunks,
    ],
    forward: {
      gateways,
      prefixes: ["+44"],
      calls_per_minute: 10_000,
      calls_at_once: 10_000,
      ...forward,
    },
    ...others,
  }));
  rmSync(folder, { recursive: true, force: true });
  const phones: Record<string, Phone> = {};
  for (const [index, { name, transport: kind = "udp" }] of plans.entries()) {
    phones[name] = await bench.phone({ port: PORT, kind }, addresses[index]);
    phones[name].behave(answerWith("200 OK"));
  }
  return {
    ...bench,
    gateways: phones,
    forwarded: (to = TO, payer = "") => bench.number({ mode: "f", argument: to, host: payer }),
    sizeOf: async (profile, value) =>
      Number(
        JSON.stringify(await bench.kamailio.rpc("dlg.profile_get_size", [profile, value])).match(/\d+/)?.[0],
      ),
  };
}

/** Trunk and outcome of each attempt, from a row's events. An attempt without an outcome is the last. */
export const attemptsIn = ({ events }: RecordRow): string[] =>
  Array.from(
    events.matchAll(/(?:^|\^)t f\d? [\d.-]+ \S+ ([a-z]+)((?:\^[rp] [^^]*)*)(?:\^e \S+ (\w+))?/g),
  ).map(([, trunk, , outcome]) => (outcome === undefined ? trunk! : `${trunk} ${outcome}`));

/** Requires a password for each call. */
export const guarded =
  (password: string, status = "200 OK"): Manners =>
  (request) => {
    if (request.method !== "INVITE") return [{ status: "200 OK" }];
    const given = headerOf(request, "Proxy-Authorization");
    const challenge = 'Digest realm="gate.invalid", nonce="n0nce", algorithm=MD5';
    if (given === "") return [{ status: "407 Password", headers: [["Proxy-Authenticate", challenge]] }];
    const md5 = (text: string): string => createHash("md5").update(text).digest("hex");
    const uri = /uri="([^"]*)"/.exec(given)?.[1] ?? "";
    const expected = md5(`${md5(`bob:gate.invalid:${password}`)}:n0nce:${md5(`INVITE:${uri}`)}`);
    return [{ status: given.includes(`response="${expected}"`) ? status : "403 Wrong Password" }];
  };
