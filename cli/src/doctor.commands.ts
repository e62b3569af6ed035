import { ApiError } from "@dialplane/sdk";
import { CliFailure } from "./cli-failure.ts";
import { type Context, membershipOf } from "./cli-context.ts";
import { VERSION } from "./cli-version.ts";
import { command } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";
import { explainFailure } from "./explain-failure.ts";
import { momentOf } from "./moments.ts";
import { readServiceUrl } from "./service-url.ts";

interface Check {
  check: string;
  status: "ok" | "warning" | "failed";
  detail: string;
  next: string | null;
}

const PATIENCE_MS = 5_000;
/** Signatures of webhooks are taken for five minutes; who is off by this much will be off by more. */
const CLOCK_SECONDS = 5;
const SOON_MS = 24 * 3_600_000;
/** Version of the contract that this program uses. */
const CONTRACT = "1";
const OLDEST_NODE = 24;

export const DOCTOR_COMMANDS = [
  command({
    name: "doctor",
    group: "Tools",
    summary: "Diagnose connection and sign-in problems",
    details:
      "Checks the CLI and Node versions, the service, the clock, the API version, your sign-in and the organisation. Exits with 1 if a check failed.",
    async run({ context }) {
      const checks = [checkProgram(), ...(await checkService(context)), ...(await checkSignIn(context))];
      await context.output.list(checks, [
        { title: "check", of: ({ check }) => check },
        {
          title: "status",
          of: ({ status }) => status,
          tone: ({ status }) => ({ ok: "good", warning: "odd", failed: "bad" } as const)[status],
        },
        { title: "detail", of: ({ detail }) => detail, isFlexible: true },
        { title: "next", of: ({ next }) => next, isFlexible: true },
      ]);
      return checks.some(({ status }) => status === "failed") ? EXIT.failure : EXIT.ok;
    },
  }),
];

const ok = (check: string, detail: string): Check => ({ check, status: "ok", detail, next: null });

function checkProgram(): Check {
  const major = Number(process.versions.node.split(".")[0]);
  const detail = `dialplane ${VERSION}, Node ${process.versions.node}`;
  return major >= OLDEST_NODE
    ? ok("program", detail)
    : { check: "program", status: "failed", detail, next: `install Node ${OLDEST_NODE} or later` };
}

async function checkService({ flags, config, credentials }: Context): Promise<Check[]> {
  let url: string;
  try {
    const named = flags.url ?? config.url ?? credentials.current();
    if (!named)
      return [
        {
          check: "service",
          status: "failed",
          detail: "no address configured",
          next: "dialplane login <address>",
        },
      ];
    url = readServiceUrl(named);
  } catch (error) {
    return [failed("service", error)];
  }
  const started = performance.now();
  const answer = await look(`${url}/readyz`);
  if (!(answer instanceof Response))
    return [
      { check: "service", status: "failed", detail: `${url}: ${answer}`, next: `curl -v ${url}/livez` },
    ];
  const ms = Math.round(performance.now() - started);
  const health: Check =
    answer.status === 200
      ? ok("service", `${url} responds within ${ms} ms`)
      : {
          check: "service",
          status: "failed",
          detail: `${url} is not ready (${answer.status})`,
          next: "contact its operator",
        };
  return [health, checkClock(answer), await checkContract(url)];
}

function checkClock(answer: Response): Check {
  const theirs = Date.parse(answer.headers.get("date") ?? "");
  const seconds = Math.round((Date.now() - theirs) / 1_000);
  if (Number.isNaN(seconds))
    return { check: "clock", status: "warning", detail: "the service sends no Date header", next: null };
  if (Math.abs(seconds) <= CLOCK_SECONDS) return ok("clock", "in sync with the service");
  const detail = `${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the service`;
  return { check: "clock", status: "failed", detail, next: "synchronise this machine's clock (NTP)" };
}

async function checkContract(url: string): Promise<Check> {
  const answer = await look(`${url}/openapi.json`);
  const document =
    answer instanceof Response && answer.ok ? ((await answer.json()) as { info?: { version?: string } }) : {};
  const version = document.info?.version;
  if (version === CONTRACT) return ok("contract", `version ${version}, supported by this CLI`);
  const detail = version
    ? `version ${version}, but this CLI supports ${CONTRACT}`
    : "no API description found: not a Dialplane service?";
  return { check: "contract", status: "failed", detail, next: "update the CLI, or check the address" };
}

/** The answer, or why there is none. */
async function look(address: string): Promise<Response | string> {
  try {
    return await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: "manual" });
  } catch (error) {
    const { cause } = error as { cause?: { code?: string; message?: string } };
    return cause?.code ?? cause?.message ?? (error as Error).message;
  }
}

async function checkSignIn(context: Context): Promise<Check[]> {
  try {
    const place = context.place();
    const { organisation, environment, signIn } = place;
    const me = await (await context.client()).me.get({ maxRetries: 0 });
    const { caller, memberships } = me;
    const end = signIn?.expires_at ?? caller.expires_at;
    const endsSoon = end && Date.parse(end) - Date.now() < SOON_MS;
    const who = `${caller.email ?? `key …${caller.key_hint}`}, until ${momentOf(end)}`;
    const signedIn: Check = endsSoon
      ? {
          check: "sign-in",
          status: "warning",
          detail: who,
          next: signIn ? "dialplane login" : "create a new API key",
        }
      : ok("sign-in", who);
    const { name } = membershipOf(me, place)?.organisation ?? {};
    const chosen: Check = name
      ? ok("organisation", `${name}, ${environment ?? caller.environment} environment`)
      : {
          check: "organisation",
          status: organisation ? "failed" : "warning",
          detail: organisation
            ? `you are not a member of ${organisation}`
            : `none of ${memberships.length} selected`,
          next: "dialplane orgs use <organisation>",
        };
    return [signedIn, chosen];
  } catch (error) {
    return [failed("sign-in", error)];
  }
}

function failed(check: string, error: unknown): Check {
  const next =
    error instanceof CliFailure ? (error.next ?? null) : error instanceof ApiError ? "dialplane login" : null;
  const [first = ""] = explainFailure(error).lines;
  return { check, status: "failed", detail: first.replace(/^dialplane: /, ""), next };
}
