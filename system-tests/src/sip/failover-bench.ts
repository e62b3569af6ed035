import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallBench } from "./call-bench.ts";
import { addressOf, openBench, uriOf } from "./call-bench.ts";
import { endOf, type PlanStep } from "./failover-plans.ts";
import { newAddress } from "./loopback.ts";
import { answerWith, type Manners, type Phone, type Reply } from "./phone.ts";
import type { RecordRow } from "./record-rows.ts";
import type { SipMessage } from "./sip-message.ts";
import { headerOf } from "./sip-message.ts";

/** A switch with a gateway and an agent that decides for webhooks, and numbers with up to three steps. */
export interface FailoverBench extends CallBench {
  gateway: Phone;
  agent: Phone;
  /** A number with these steps, and the phones of those that lead to one. */
  plan(steps: readonly PlanStep[]): Promise<PlannedNumber>;
  /** A row with failover. Each step is `mode|argument|host`, with `ring` and `on`. */
  steps(steps: readonly StepText[]): Promise<string>;
  /** A connection with these targets, one priority each. */
  connection(targets: readonly Phone[], limits?: { most?: number; ring?: number }): Promise<string>;
  /** A number behind the gateway. */
  forwardTo(manners: Manners): string;
  /** The URL of a webhook whose server decides so. */
  webhook(verdict: Reply): string;
  /** Requests at the gateway for a number. */
  forwardsTo(to: string, method?: string): SipMessage[];
  /** Ends the agent's signs of life. */
  stopBeating(): void;
}

export interface StepText {
  to: string;
  ring?: number;
  on?: string;
}

interface PlannedNumber {
  number: string;
  phones: (Phone | undefined)[];
}

/** An INVITE that is dialled by a webhook. */
export const dialTo = (addresses: string, uri = "sip:chosen@pbx.invalid"): Reply => ({
  status: "302 Moved",
  headers: [
    ["X-Dialplane-Verb", "dial"],
    ["X-Dialplane-To", uri],
    ["X-Dialplane-Addresses", addresses],
  ],
});
export const forwardTo = (to: string): Reply => ({
  status: "302 Moved",
  headers: [
    ["X-Dialplane-Verb", "forward"],
    ["X-Dialplane-To", to],
  ],
});
export const toPhone = (phone: Phone): string => `u|${uriOf(phone)}|`;

/** Step of each target that was tried, from a row's events. */
export const triedIn = ({ events }: RecordRow): number[] =>
  Array.from(events.matchAll(/(?:^|\^)t [ucf](\d?) /g), ([, step]) => Number(step || "1"));

/** A row with failover has 17 fields; see docs/kamailio-internals.md. */
export function rowOf(id: string, [one, two, three]: readonly StepText[]): string {
  const [mode, ...place] = one!.to.split("|");
  const fallback = two?.to ?? "||";
  const rest = [one!.ring ?? "", two?.on ?? "", two?.ring ?? "", three?.on ?? ""];
  const last = [three?.to ?? "||", three?.ring ?? ""];
  return [mode!.toUpperCase(), 7, 1, id, ...place, fallback, ...rest, ...last].join("|");
}

/** `password` is the gateway's. */
export async function openFailoverBench(
  settings: Record<string, unknown> = {},
  password?: string,
): Promise<FailoverBench> {
  const gatewayAddress = newAddress();
  using secret = passwordFile(password ?? "");
  const login = password === undefined ? {} : { username: "bob", password_file: secret.path };
  const bench = await openBench((caller) => ({
    trunks: [
      { name: "carrier", direction: "in", sources: [caller], transport: "udp" },
      {
        name: "gate",
        direction: "out",
        transport: "udp",
        gateway: { host: gatewayAddress, port: 5080, ...login },
      },
    ],
    forward: { gateway: "gate", prefixes: ["+44"], calls_at_once: 2 },
    ...settings,
  }));
  const gateway = await bench.phone({ port: 5080 }, gatewayAddress);
  const agent = await bench.phone({ kind: "tcp", port: bench.kamailio.webhookPort }, "127.0.0.1");
  const beat = (): void => void bench.kamailio.control("P", "", []).catch(() => undefined);
  const beating = setInterval(beat, 500);
  await bench.kamailio.control("P", "", []);
  const destinations = openDestinations({ bench, gateway, agent });
  // A test process has 254 addresses.
  const phonesAt = newAddress();
  const steps = async (given: readonly StepText[]): Promise<string> => {
    const number = await bench.number({ mode: "n" });
    await bench.kamailio.set("rt", { [number]: rowOf(`id-${number}`, given) });
    return number;
  };
  return {
    ...bench,
    ...destinations,
    gateway,
    agent,
    steps,
    plan: async (plan) => {
      const placed: { to: string; phone?: Phone }[] = [];
      for (const step of plan) placed.push(await placeStep({ ...bench, ...destinations }, step, phonesAt));
      const number = await steps(plan.map((step, index) => ({ ...step, to: placed[index]!.to })));
      return { number, phones: placed.map(({ phone }) => phone) };
    },
    stopBeating: () => clearInterval(beating),
    [Symbol.asyncDispose]: async () => {
      clearInterval(beating);
      await bench[Symbol.asyncDispose]();
    },
  };
}

/** The switch reads it once, when its settings are rendered. */
function passwordFile(password: string): Disposable & { path: string } {
  const folder = mkdtempSync(join(tmpdir(), "dialplane-password-"));
  const path = join(folder, "password");
  writeFileSync(path, `${password}\n`);
  return { path, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

const userOf = ({ startLine }: SipMessage): string => /sip:([^@]*)@/.exec(startLine)?.[1] ?? "";

function openDestinations({ bench, gateway, agent }: { bench: CallBench; gateway: Phone; agent: Phone }) {
  let last = 100;
  const numbers = new Map<string, Manners>();
  const verdicts = new Map<string, Reply>();
  gateway.behave((request) => numbers.get(userOf(request))?.(request) ?? [{ status: "200 OK" }]);
  agent.behave((request) =>
    request.method === "INVITE"
      ? [{ status: "100 Trying" }, verdicts.get(headerOf(request, "X-Dialplane-Url"))!]
      : [{ status: "200 OK" }],
  );
  const addConnection: FailoverBench["connection"] = async (targets, { most = 0, ring = 0 } = {}) => {
    const sets = [];
    for (const target of targets) {
      sets.push(++last);
      const attributes = `rweight=1;duid=${last};host=pbx-${last}.example`;
      const uri = uriOf(target).replace(/^sip:.*@/, "sip:");
      await bench.kamailio.rpc("dispatcher.add", [last, uri, 0, 0, attributes]);
    }
    const id = `connection-${++last}`;
    const list = sets.map((set) => `${set}=11`).join(";");
    await bench.kamailio.set("cn", { [id]: `1|3|${most}|${ring}|${list}|x` });
    return id;
  };
  // One at a time, as the agent adds them: Kamailio 5.6 frees its table twice if two processes add targets at once.
  let adding: Promise<unknown> = Promise.resolve();
  const connection: FailoverBench["connection"] = (...given) => {
    const added = adding.then(() => addConnection(...given));
    adding = added;
    return added;
  };
  const forwardNumber = (manners: Manners): string => {
    const number = `+44207946${String(++last).padStart(4, "0")}`;
    numbers.set(number, manners);
    return number;
  };
  const webhook = (verdict: Reply): string => {
    const url = `https://hooks.invalid/${++last}`;
    verdicts.set(url, verdict);
    return url;
  };
  return {
    connection,
    forwardTo: forwardNumber,
    webhook,
    forwardsTo: (to: string, method = "INVITE") =>
      gateway.requests(method).filter((request) => userOf(request) === to),
  };
}

/** Opens the destination of a step. */
async function placeStep(
  bench: CallBench & ReturnType<typeof openDestinations>,
  step: PlanStep,
  phonesAt: string,
): Promise<{ to: string; phone?: Phone }> {
  const { replies } = endOf(step.end);
  const manners = answerWith(...(replies ?? []));
  if (step.mode === "f")
    return { to: step.end === "barred" ? "f|+8821234567|" : `f|${bench.forwardTo(manners)}|` };
  if (step.end === "undecided") return { to: `w|${bench.webhook({ status: "500 Undecided" })}|` };
  if (step.end === "rejecting") return { to: `w|${bench.webhook({ status: "403 Forbidden" })}|` };
  if (step.via === "forward") return { to: `w|${bench.webhook(forwardTo(bench.forwardTo(manners)))}|` };
  if (step.end === "dead")
    return { to: step.mode === "c" ? "c|nowhere|" : "u|sip:a@dead.example|dead.example" };
  const phone = await bench.phone({}, phonesAt);
  phone.behave(manners);
  if (step.mode === "u") return { to: toPhone(phone), phone };
  if (step.mode === "w") return { to: `w|${bench.webhook(dialTo(addressOf(phone)))}|`, phone };
  const id = await bench.connection([phone], { most: step.end === "full" ? 1 : 0 });
  if (step.end === "full") {
    phone.behave(answerWith("200 OK"));
    await bench.call(await bench.number({ mode: "c", argument: id }));
  }
  return { to: `c|${id}|`, phone };
}
