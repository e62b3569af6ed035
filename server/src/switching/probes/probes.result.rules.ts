import type { ProbeLink } from "./probes.schema.ts";
import type { PlacedProbe, SeenProbe } from "./probes.wire.schema.ts";

/** Everything that is known of a probe when it ends. */
export interface Evidence {
  via: "switch" | "carrier";
  /** Trunk to the carrier. */
  trunk: string | null;
  placed_by: string | null;
  /** Desired route of the number. */
  desired: DesiredRoute;
  /** Whether the route was set while the probe was running. */
  has_route_changed: boolean;
  /** Delivery at the carrier, if it differs from the desired one. */
  delivery: { desired: string; applied: string | null } | null;
  switches: SwitchEvidence[];
}

export interface DesiredRoute {
  mode: string;
  generation: number;
  target: string | null;
}

export interface SwitchEvidence {
  id: string;
  name: string;
  /** Whether it belongs to the number's group. */
  is_own: boolean;
  is_reachable: boolean;
  /** Whether its agent and configuration can take part. */
  is_able: boolean;
  placed: PlacedProbe | null;
  seen: SeenProbe | null;
}

export interface Result {
  status: "proved" | "broken" | "failed";
  summary: string;
  links: ProbeLink[];
}

/** Codes with which a target says that it takes no calls now. */
const NO_CALLS = [408, 503];
const MOST_CHARACTERS = 1_000;

export function resultOf(evidence: Evidence): Result {
  if (evidence.has_route_changed) return failed("The routing changed during the probe. Place it again.");
  const silent = silentIn(evidence);
  if (silent !== undefined) return failed(`${silent} did not report in time. Place the probe again.`);
  const links = evidence.via === "switch" ? linksOfSwitches(evidence) : linksOfCarrier(evidence);
  if (links.length === 0)
    return failed("No switch of the number can place probes. Update agents and kamailio.cfg.");
  const broken = links.find(({ status }) => status === "broken");
  const summary = broken ? `${labelOf(broken)}: ${broken.detail}` : pathOf(links);
  return { status: broken ? "broken" : "proved", summary: summary.slice(0, MOST_CHARACTERS), links };
}

/** Name of a switch whose report is missing although it is reachable. */
function silentIn({ via, placed_by, switches }: Evidence): string | undefined {
  if (via === "carrier") {
    const placer = switches.find(({ id }) => id === placed_by);
    return placer?.placed ? undefined : (placer?.name ?? "The switches");
  }
  return switches.find(
    ({ is_own, is_reachable, is_able, placed, seen }) =>
      is_own && is_reachable && is_able && placed === null && seen === null,
  )?.name;
}

function failed(summary: string): Result {
  return { status: "failed", summary, links: [] };
}

const labelOf = ({ link, name }: ProbeLink): string => (name === null ? link : `${link} ${name}`);

/** fra-1 → 198.51.100.20:5060, 200 after 12 ms; fra-2 → … */
function pathOf(links: ProbeLink[]): string {
  let path = "";
  for (const [at, one] of links.entries()) {
    const isNextSwitch = one.link === "switch" && links[at - 1]?.link === "destination";
    path += `${at === 0 ? "" : isNextSwitch ? "; " : " → "}${shownIn(one)}`;
  }
  return path;
}

function shownIn({ link, name, detail, took_ms: ms }: ProbeLink): string {
  if (link === "carrier") return "carrier";
  const shown = name ?? detail;
  const code = /\b[1-6]\d\d\b/.exec(detail)?.[0];
  return link === "destination" && code && ms !== null ? `${shown}, ${code} after ${ms} ms` : shown;
}

const link = (
  of: Pick<ProbeLink, "link" | "name" | "switch" | "status" | "detail"> & Partial<ProbeLink>,
): ProbeLink => ({
  expected: null,
  found: null,
  took_ms: null,
  ...of,
});

function linksOfSwitches({ switches, desired }: Evidence): ProbeLink[] {
  return switches
    .filter(({ is_own, is_able, is_reachable }) => is_own && (is_able || !is_reachable))
    .flatMap((one) => linksOfSwitch(one, desired));
}

function linksOfCarrier(evidence: Evidence): ProbeLink[] {
  const { switches, trunk, placed_by, desired } = evidence;
  const placer = switches.find(({ id }) => id === placed_by)!;
  const receiver = switches.find(({ seen }) => seen !== null);
  const { took_ms } = placer.placed!;
  const carrier = { link: "carrier", name: trunk, switch: placer.name, took_ms } as const;
  if (!receiver) return notReceived(evidence, { ...carrier, status: "broken", detail: "" });
  if (!receiver.is_own)
    return [
      link({
        ...carrier,
        status: "broken",
        detail: "The carrier delivered the call to a switch of another group.",
        expected: switches
          .filter(({ is_own }) => is_own)
          .map(({ name }) => name)
          .join(", "),
        found: receiver.name,
      }),
    ];
  return [
    link({
      ...carrier,
      status: "proved",
      detail: `The carrier delivered the call by trunk ${receiver.seen!.trunk ?? "unknown"}.`,
    }),
    ...linksOfSwitch(receiver, desired),
  ];
}

/** An unreachable switch may have missed the call. Otherwise the carrier did not deliver it. */
function notReceived(
  { switches, delivery, placed_by }: Evidence,
  carrier: Pick<ProbeLink, "link" | "name" | "switch" | "status" | "detail">,
): ProbeLink[] {
  const { placed } = switches.find(({ id }) => id === placed_by)!;
  const reply = placed!.code === null ? "no final response" : `status ${placed!.code}`;
  const ringing = placed!.has_rung ? " after ringing" : "";
  if (delivery !== null)
    return [
      link({
        ...carrier,
        detail: `The carrier delivers the number elsewhere. The call got ${reply}${ringing}.`,
        expected: delivery.desired,
        found: delivery.applied ?? "nothing",
      }),
    ];
  const away = switches.filter(({ is_own, is_reachable }) => is_own && !is_reachable);
  const lost = `No switch received the call. It got ${reply}${ringing}.`;
  if (away.length === 0) return [link({ ...carrier, detail: lost })];
  return [
    link({ ...carrier, status: "not_tested", detail: lost }),
    ...away.map(({ name }) =>
      link({ link: "switch", name, switch: name, status: "broken", detail: "The switch is unreachable." }),
    ),
  ];
}

function linksOfSwitch(
  { name, is_reachable, placed, seen }: SwitchEvidence,
  desired: DesiredRoute,
): ProbeLink[] {
  const own = { link: "switch", name, switch: name } as const;
  const broken = (detail: string, more: Partial<ProbeLink> = {}): ProbeLink[] => [
    link({ ...own, status: "broken", detail, ...more }),
  ];
  if (seen === null)
    return broken(
      is_reachable
        ? `The switch did not take the call${placed?.code ? `: status ${placed.code}` : ""}.`
        : "The switch is unreachable.",
    );
  const drift = driftOf(seen, desired);
  if (drift) return broken("The switch holds another route than it should.", drift);
  if (seen.reason !== "probe")
    return broken(`The switch rejected the call with ${seen.code}${seen.reason ? ` (${seen.reason})` : ""}.`);
  return [
    link({
      ...own,
      status: "proved",
      detail: "The switch holds the route.",
      took_ms: placed?.took_ms ?? null,
    }),
    destinationOf(seen, name),
  ];
}

/** A call that matched no number has no route to compare. */
function driftOf(seen: SeenProbe, desired: DesiredRoute): Pick<ProbeLink, "expected" | "found"> | undefined {
  if (seen.mode === null || seen.generation === null) return undefined;
  const isSameRoute = seen.mode === desired.mode && seen.generation === desired.generation;
  const isSameTarget = desired.target === null || seen.target === null || seen.target === desired.target;
  if (isSameRoute && isSameTarget) return undefined;
  return {
    expected: routeText(desired),
    found: routeText({ ...seen, mode: seen.mode, generation: seen.generation }),
  };
}

function routeText({ mode, generation, target }: DesiredRoute): string {
  return `${mode}${target === null ? "" : ` ${target}`} of generation ${generation}`;
}

function destinationOf(seen: SeenProbe, name: string): ProbeLink {
  const { mode, address, transport, target_code: code, target_ms } = seen;
  const own = { link: "destination", switch: name } as const;
  if (address === null)
    return link({
      ...own,
      name: seen.target,
      status: "not_tested",
      detail: mode === "webhook" ? "Your server decides about each call." : "The route has no address.",
    });
  const shown = {
    ...own,
    name: transport === "udp" ? address : `${address};transport=${transport}`,
    took_ms: target_ms,
  };
  if (code === null) return link({ ...shown, status: "broken", detail: "It did not respond to OPTIONS." });
  const status = NO_CALLS.includes(code) ? "broken" : "proved";
  return link({ ...shown, status, detail: `It replied ${code} to OPTIONS.` });
}
