import type { TrunkDocument } from "./trunks.document.rules.ts";
import { canMeet, shareAddresses } from "./trunks.rules.ts";

/** A trunk with a gateway counts twice on the switch, whose table has 4,096 networks. */
const MOST_SOURCES = 1_500;

export interface Fault {
  pointer: string;
  code: string;
  detail: string;
}

/** JSON Pointers to the parts of a list in the request that sets it. */
export interface Pointers {
  trunk(index: number): string;
  forwarding: string;
}

/** Contradictions within a list. Each value on its own has passed the schema. */
export function faultsOf(
  { trunks, forwarding }: TrunkDocument,
  switchIds: ReadonlySet<string>,
  at: Pointers,
): Fault[] {
  const faults = trunks.flatMap((trunk, index) => [
    ...faultsOfTrunk(trunk, trunks.slice(0, index), at.trunk(index)),
    ...trunk.switches.flatMap((id, position) =>
      switchIds.has(id) && trunk.switches.indexOf(id) === position
        ? []
        : [
            {
              pointer: `${at.trunk(index)}/switches/${position}`,
              code: "unknown",
              detail: "Each entry must be the ID of a switch of this group, and listed once.",
            },
          ],
    ),
  ]);
  return [...faults, ...tooManySources(trunks, at), ...faultsOfForwarding({ trunks, forwarding }, at)];
}

function tooManySources(trunks: readonly Trunk[], at: Pointers): Fault[] {
  const counts = trunks.map(({ sources }) => sources.length);
  const sum = counts.reduce((total, count) => total + count, 0);
  if (sum <= MOST_SOURCES) return [];
  const largest = counts.indexOf(Math.max(...counts));
  const detail = `All trunks of a group can have ${MOST_SOURCES} sources together, and these have ${sum}.`;
  return [{ pointer: `${at.trunk(largest)}/sources`, code: "too_many", detail }];
}

type Trunk = TrunkDocument["trunks"][number];

function faultsOfTrunk(trunk: Trunk, earlier: readonly Trunk[], at: string): Fault[] {
  const faults: Fault[] = [];
  const { name, direction, sources, gateway } = trunk;
  if (earlier.some((other) => other.name === name))
    faults.push({ pointer: `${at}/name`, code: "duplicate", detail: `Another trunk has the name ${name}.` });
  if (direction !== "out" && sources.length === 0)
    faults.push({
      pointer: `${at}/sources`,
      code: "required",
      detail: "A trunk that sends calls needs the networks that they come from.",
    });
  if (direction !== "in" && gateway === null)
    faults.push({
      pointer: `${at}/gateway`,
      code: "required",
      detail: "A trunk that takes calls needs a gateway.",
    });
  return [...faults, ...sharedSources(trunk, earlier, at)];
}

/** A call from a source of two trunks would belong to either. */
function sharedSources(trunk: Trunk, earlier: readonly Trunk[], at: string): Fault[] {
  const others = earlier.filter((other) => canMeet(trunk, other));
  return trunk.sources.flatMap((source, position) => {
    const other = others.find(({ sources }) => sources.some((one) => shareAddresses(one, source)));
    if (!other) return [];
    const detail = `${source} shares addresses with a source of the trunk ${other.name}.`;
    return [{ pointer: `${at}/sources/${position}`, code: "duplicate", detail }];
  });
}

function faultsOfForwarding({ trunks, forwarding }: TrunkDocument, at: Pointers): Fault[] {
  const gateways = forwarding?.gateways ?? [];
  return gateways.flatMap(({ trunk }, index) => {
    const pointer = `${at.forwarding}/gateways/${index}/trunk`;
    const takesCalls = trunks.some(({ name, direction }) => name === trunk && direction !== "in");
    if (!takesCalls)
      return [
        {
          pointer,
          code: "unknown",
          detail: `No trunk ${trunk} takes calls (direction \`out\` or \`both\`).`,
        },
      ];
    if (gateways.findIndex((other) => other.trunk === trunk) < index)
      return [{ pointer, code: "duplicate", detail: `The trunk ${trunk} is in the list already.` }];
    return [];
  });
}
