import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../sip/until.ts";
import type { RunningService } from "./running-service.ts";

const EMAIL = "owner@northwind.example";
const PASSWORD = "the kettle hums at noon";
const WAIT_SECONDS = 30;

export interface Applied {
  mode: string;
  sip_uri: string;
  generation: number;
  observed_at: string;
}

export interface Routing {
  status: string;
  desired: { generation: number; sip_uri: string };
  applied: Applied | null;
  switches: { switch: string; applied: Applied | null; error: string | null }[];
}

/** As the contract has it; the service checks the rest. */
export type DesiredRouting = { mode: string } & Record<string, unknown>;

/** A customer with numbers, who uses only the HTTP API. */
export interface Customer {
  organisationId: string;
  /** ID of the first number. */
  numberId: string;
  /** An API key, and the owner's session in a browser. */
  credentials: { key: string; cookie: string };
  /** The answer comes when the switches have it. */
  routeTo(sipUri: string): Promise<{ status: number; routing: Routing }>;
  routing(number?: string): Promise<Routing>;
  /** Any routing, of any number; `waitSeconds` for the switches. */
  route(
    number: string,
    routing: DesiredRouting,
    waitSeconds?: number,
  ): Promise<{ status: number; routing: Routing }>;
  /** As a person who has signed in, for what keys may not do. */
  asPerson<Answer>(method: string, path: string, body?: object): Promise<Answer>;
}

/** The part of a service that a new customer needs. */
export type SignUpService = Pick<RunningService, "url" | "mailFolder" | "ready" | "operator">;

/** Invited by the operator, who gives the organisation the numbers. */
export async function signUp(
  service: SignUpService,
  number: string,
  others: string[] = [],
): Promise<Customer> {
  const told = await service.operator("create-organisation", "Northwind Telecom", EMAIL);
  const organisationId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(told)![0];
  const table = writeTable(service, [number, ...others]);
  const [{ key, cookie }] = await Promise.all([
    acceptInvitation(service),
    service.operator("import-numbers", table, "--organisation", organisationId),
  ]);
  const headers = { authorization: `Bearer ${key}` };
  const person = { cookie, "sec-fetch-site": "same-origin" };
  const asPerson: Customer["asPerson"] = (method, path, body) =>
    json(`${service.url}${path}`, {
      method,
      headers: {
        ...person,
        "idempotency-key": randomUUID(),
        prefer: `wait=${WAIT_SECONDS}`,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const ids = await listNumbers((path) => asPerson("GET", path));
  const routingOf = (one: string): string => `/v1/numbers/${ids.get(one) ?? encodeURIComponent(one)}/routing`;
  const route: Customer["route"] = async (one, routing, waitSeconds = WAIT_SECONDS) => {
    const request = {
      method: "PUT",
      headers: {
        // A key may not set modes that can cost money or send call data elsewhere.
        ...(routing.mode === "webhook" || routing.mode === "forward" ? person : headers),
        "content-type": "application/json",
        "idempotency-key": randomUUID(),
        ...(waitSeconds > 0 && { prefer: `wait=${waitSeconds}` }),
      },
      body: JSON.stringify(routing),
    };
    // A service that is too busy says so; the key makes trying again safe.
    const answer = await until(
      "an answer",
      async () => {
        const given = await fetch(`${service.url}${routingOf(one)}`, request);
        return given.status === 503 ? void (await given.text()) : given;
      },
      60_000,
    );
    return { status: answer.status, routing: (await answer.json()) as Routing };
  };
  return {
    organisationId,
    numberId: ids.get(number)!,
    credentials: { key, cookie },
    routeTo: (sipUri) => route(number, { mode: "sip_uri", sip_uri: sipUri }),
    routing: (one = number) => json<Routing>(`${service.url}${routingOf(one)}`, { headers }),
    route,
    asPerson,
  };
}

function writeTable({ mailFolder }: SignUpService, numbers: string[]): string {
  const table = join(mailFolder, "..", "numbers.csv");
  const rows = numbers.map((number) => `${number},Front desk,berlin\n`);
  writeFileSync(table, `number,label,tags\n${rows.join("")}`);
  return table;
}

async function listNumbers(get: <Answer>(path: string) => Promise<Answer>): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: { data: { id: string; e164: string }[]; next_cursor: string | null } = await get(
      `/v1/numbers?limit=1000${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    for (const { id, e164 } of page.data) ids.set(e164, id);
    cursor = page.next_cursor;
  }
  return ids;
}

/** By the mailed link, as a person does; returns the session, and a key that may route numbers. */
async function acceptInvitation({
  url,
  mailFolder,
  ready,
}: SignUpService): Promise<{ key: string; cookie: string }> {
  await ready();
  const token = await until("the invitation", () => tokenMailedTo(mailFolder), 120_000);
  await json(
    `${url}/v1/invitations/accept`,
    bodyOf({ token, account: { name: "Olive", password: PASSWORD } }),
  );
  const signedIn = await fetch(`${url}/v1/sessions`, bodyOf({ email: EMAIL, password: PASSWORD }));
  const cookie = signedIn.headers.get("set-cookie")!.split(";", 1)[0]!;
  const order = bodyOf({ name: "Everything", scopes: ["full"] });
  const headers = { ...order.headers, cookie, "sec-fetch-site": "same-origin" };
  const { secret } = await json<{ secret: string }>(`${url}/v1/api-keys`, { ...order, headers });
  return { key: secret, cookie };
}

function tokenMailedTo(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const mails = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  return /\/invitation#([\w-]+)\n/.exec(mails.join("\n"))?.[1];
}

const bodyOf = (body: object) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

async function json<Answer>(url: string, request: RequestInit): Promise<Answer> {
  const answer = await fetch(url, request);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
