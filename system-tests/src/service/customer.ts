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

/** Somebody who holds one number, and has nothing but the HTTP API. */
export interface Customer {
  organisationId: string;
  numberId: string;
  /** The answer comes when the switch has it. */
  routeTo(sipUri: string): Promise<{ status: number; routing: Routing }>;
  routing(): Promise<Routing>;
}

/** Invited by the operator, who gives the organisation the number. */
export async function signUp(service: RunningService, number: string): Promise<Customer> {
  const told = await service.operator("create-organisation", "Northwind Telecom", EMAIL);
  const organisationId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(told)![0];
  const table = join(service.mailFolder, "..", "numbers.csv");
  writeFileSync(table, `number,label,tags\n${number},Front desk,berlin\n`);
  const [key] = await Promise.all([
    acceptInvitation(service),
    service.operator("import-numbers", table, "--organisation", organisationId),
  ]);
  const headers = { authorization: `Bearer ${key}` };
  const { data } = await json<{ data: { id: string }[] }>(`${service.url}/v1/numbers`, { headers });
  const numberId = data[0]!.id;
  const url = `${service.url}/v1/numbers/${numberId}/routing`;
  return {
    organisationId,
    numberId,
    routeTo: async (sipUri) => {
      const answer = await fetch(url, {
        method: "PUT",
        headers: {
          ...headers,
          "content-type": "application/json",
          "idempotency-key": randomUUID(),
          prefer: `wait=${WAIT_SECONDS}`,
        },
        body: JSON.stringify({ mode: "sip_uri", sip_uri: sipUri }),
      });
      return { status: answer.status, routing: (await answer.json()) as Routing };
    },
    routing: () => json<Routing>(url, { headers }),
  };
}

/** By the mailed link, as a person does; returns a key that may route numbers. */
async function acceptInvitation({ url, mailFolder, ready }: RunningService): Promise<string> {
  await ready();
  const token = await until("the invitation", () => tokenMailedTo(mailFolder), 30_000);
  await json(
    `${url}/v1/invitations/accept`,
    bodyOf({ token, account: { name: "Olive", password: PASSWORD } }),
  );
  const signedIn = await fetch(`${url}/v1/sessions`, bodyOf({ email: EMAIL, password: PASSWORD }));
  const cookie = signedIn.headers.get("set-cookie")!.split(";", 1)[0]!;
  const order = bodyOf({ name: "Everything", scopes: ["full"] });
  const headers = { ...order.headers, cookie, "sec-fetch-site": "same-origin" };
  return (await json<{ secret: string }>(`${url}/v1/api-keys`, { ...order, headers })).secret;
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
