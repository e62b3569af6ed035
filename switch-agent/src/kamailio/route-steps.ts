import { isIP } from "node:net";
import { FAILURE_CAUSES, type FailureCause, type RouteStep } from "../control-plane.ts";
import { stepsOf } from "../held-item.ts";

/**
 * Steps of a route as fields of its row. Without failover there are nine:
 * mode|generation|shard|number id|argument|host|fallback mode|fallback argument|fallback host
 * With failover the first mode is a capital letter, and eight more fields follow:
 * ring|on|ring 2|on 2|mode 3|argument 3|host 3|ring 3
 * The host of a forward or webhook step is the organisation that pays for its calls.
 */
interface StepFields {
  mode: number;
  argument: number;
  host: number;
  ring: number;
  /** Failures of the step before. */
  on: number | undefined;
}

const STEPS: readonly StepFields[] = [
  { mode: 0, argument: 4, host: 5, ring: 9, on: undefined },
  { mode: 6, argument: 7, host: 8, ring: 11, on: 10 },
  { mode: 13, argument: 14, host: 15, ring: 16, on: 12 },
];
const [PLAIN_FIELDS, ALL_FIELDS] = [9, 17];

type Mode = RouteStep["mode"];
const MODES: Record<string, Mode> = {
  u: "sip_uri",
  c: "connection",
  n: "unrouted",
  f: "forward",
  w: "webhook",
};
const LETTERS = Object.fromEntries(Object.entries(MODES).map(([letter, mode]) => [mode, letter]));
/** First letters of the causes. */
const CAUSES: Record<string, FailureCause> = { u: "unreachable", n: "no_answer", b: "busy", r: "refused" };

/** Fields of a row, of which those without a step are empty. Undefined if they would not read back unchanged. */
export function fieldsOf(route: RouteStep, payer = ""): string[] | undefined {
  const isPlain = needsNoMore(route);
  const steps = stepsOf(route);
  const fields = Array.from({ length: isPlain ? PLAIN_FIELDS : ALL_FIELDS }, () => "");
  if (steps.length > STEPS.length || !steps.every(isReadable) || route.on) return undefined;
  if (payer !== "" && !steps.some(({ mode }) => isPaid(mode))) return undefined;
  for (const [index, step] of steps.entries()) {
    const { mode, argument, host, ring, on } = STEPS[index]!;
    const letter = LETTERS[step.mode]!;
    fields[mode] = index === 0 && !isPlain ? letter.toUpperCase() : letter;
    fields[argument] = argumentOf(step);
    fields[host] = isPaid(step.mode) ? payer : hostKeyOf(step);
    if (step.ring_seconds) fields[ring] = String(step.ring_seconds);
    if (step.on && on) fields[on] = step.on.map((cause) => cause[0]!).join("");
  }
  return fields;
}

/** Undefined for fields that `fieldsOf` does not return. */
export function readFields(fields: readonly string[]): RouteStep | undefined {
  const [letter = ""] = fields;
  const isPlain = letter in MODES;
  if (fields.length !== (isPlain ? PLAIN_FIELDS : ALL_FIELDS)) return undefined;
  if (!isPlain && letter === letter.toLowerCase()) return undefined;
  const route = readStep([letter.toLowerCase(), ...fields.slice(1)], 0);
  return route && needsNoMore(route) === isPlain ? route : undefined;
}

/** Payer of all steps, empty if there is none. Undefined if the steps contradict each other. */
export function payerIn(fields: readonly string[]): string | undefined {
  const paid = STEPS.filter(({ mode }) => isPaid(MODES[fields[mode]?.toLowerCase() ?? ""]));
  const [payer = "", ...others] = new Set(paid.map(({ host }) => fields[host]));
  return others.length === 0 ? payer : undefined;
}

/** Positions of the steps that lead to a SIP URI. */
export function uriStepsIn(fields: readonly string[]): StepFields[] {
  return STEPS.filter(({ mode }) => fields[mode] === "u" || (mode === 0 && fields[mode] === "U"));
}

/** A webhook's URL from a row's argument. */
export function readWebhookUrl(text: string): string {
  return text.replaceAll("%20", " ").replaceAll("%7C", "|").replaceAll("%25", "%");
}

/** Such a route keeps the row that it had before failover existed, so an upgrade changes no row. */
function needsNoMore({ mode, ring_seconds: ring, fallback: next }: RouteStep): boolean {
  if (ring !== undefined) return false;
  if (!next) return true;
  const isPlainMode = next.mode === "sip_uri" || next.mode === "connection" || next.mode === "unrouted";
  return mode === "webhook" && isPlainMode && !next.ring_seconds && !next.on && !next.fallback;
}

const isPaid = (mode: Mode | undefined): boolean => mode === "forward" || mode === "webhook";

function readStep(fields: readonly string[], index: number): RouteStep | undefined {
  const { mode: place, argument, ring: ringPlace, on: onPlace } = STEPS[index]!;
  const mode = MODES[fields[place]!];
  const ring = fields[ringPlace] ?? "";
  const on = onPlace === undefined ? "" : (fields[onPlace] ?? "");
  const causes = Array.from(on, (letter) => CAUSES[letter]!);
  if (!mode || !/^(?:[1-9]\d{0,3})?$/.test(ring) || !isOrdered(causes)) return undefined;
  const step: RouteStep = { mode, ...argumentFields(mode, fields[argument]!) };
  if (ring !== "") step.ring_seconds = Number(ring);
  if (on !== "") step.on = causes;
  const next = STEPS[index + 1];
  if (!next || next.mode >= fields.length) return step;
  const rest = STEPS.slice(index + 1).flatMap((places) => Object.values(places) as number[]);
  if (fields[next.mode] === "") return rest.every((at) => !fields[at]) ? step : undefined;
  const fallback = readStep(fields, index + 1);
  return fallback && { ...step, fallback };
}

function isReadable({ ring_seconds: ring, on }: RouteStep): boolean {
  const isWhole = ring === undefined || (Number.isInteger(ring) && ring >= 1 && ring <= 9_999);
  return isWhole && (on === undefined || (on.length > 0 && isOrdered(on)));
}

/** Each cause once, in their own order. Also false if one is unknown. */
function isOrdered(causes: readonly FailureCause[]): boolean {
  const places = causes.map((cause) => FAILURE_CAUSES.indexOf(cause));
  return places.every((place, index) => place >= 0 && (index === 0 || place > places[index - 1]!));
}

function argumentOf(to: RouteStep): string {
  switch (to.mode) {
    case "sip_uri":
      return to.sip_uri ?? "";
    case "connection":
      return to.connection_id ?? "";
    case "forward":
      return to.forward_to ?? "";
    case "webhook":
      return (to.webhook_url ?? "").replaceAll("%", "%25").replaceAll("|", "%7C").replaceAll(" ", "%20");
    default:
      return "";
  }
}

function argumentFields(mode: Mode, text: string): Omit<RouteStep, "mode"> {
  switch (mode) {
    case "sip_uri":
      return { sip_uri: text };
    case "connection":
      return { connection_id: text };
    case "forward":
      return { forward_to: text };
    case "webhook":
      return { webhook_url: readWebhookUrl(text) };
    default:
      return {};
  }
}

/** Empty if the URI's host is an address: then nothing has to be resolved. */
function hostKeyOf({ mode, sip_uri: uri = "" }: RouteStep): string {
  if (mode !== "sip_uri") return "";
  const parts = /^(sips?):(?:[^@]*@)?([^;?@:[\]]+)(?::(\d+))?((?:;[^;?@]*)*)$/i.exec(uri);
  if (!parts) return "";
  const [, scheme = "", host = "", port, parameters = ""] = parts;
  if (isIP(host)) return "";
  const named = /;transport=(\w+)/i.exec(parameters)?.[1]?.toLowerCase();
  const transport = scheme.toLowerCase() === "sips" ? "tls" : named;
  return `${host.toLowerCase()}${port ? `:${port}` : ""}${transport ? `;${transport}` : ""}`;
}
