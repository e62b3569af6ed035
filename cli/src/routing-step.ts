import type { RevisedRouting, SetLastFallback } from "@dialplane/sdk";

const CAUSES = ["unreachable", "no_answer", "busy", "refused"] as const;
type Cause = (typeof CAUSES)[number];

const CAUSE = `(?:${CAUSES.join("|")})`;
const STEP = new RegExp(String.raw`^(.+?)(?: on (any|${CAUSE}(?:,${CAUSE})*))?(?: ring (\d+))?$`);

/** Reads a destination such as `+442079460000 on busy,no_answer ring 20`. `any` stands for all causes. */
export async function readStep(
  text: string,
  idOfConnection: (name: string) => Promise<string>,
): Promise<SetLastFallback> {
  const [, target = "", causes, seconds] = STEP.exec(text.trim()) ?? [];
  const more = {
    ...(causes === undefined ? {} : { on: causes === "any" ? [...CAUSES] : (causes.split(",") as Cause[]) }),
    ...(seconds === undefined ? {} : { ring_seconds: Number(seconds) }),
  };
  if (/^sips?:/i.test(target)) return { mode: "sip_uri", sip_uri: target, ...more };
  if (/^https?:/i.test(target)) return { mode: "webhook", webhook_url: target, ...more };
  if (target.startsWith("+")) return { mode: "forward", forward_to: target, ...more };
  return { mode: "connection", connection_id: await idOfConnection(target), ...more };
}

/** The destinations of a routing in one line: `sip:desk@pbx.example.com, then +442079460000`. */
export function stepsText(routing: RevisedRouting): string {
  const { sip_uri, connection_id, forward_to, webhook_url, fallback } = routing;
  const own = sip_uri ?? connection_id ?? forward_to ?? webhook_url ?? "";
  return fallback && fallback.mode !== "unrouted" ? `${own}, then ${stepsText(fallback)}` : own;
}
