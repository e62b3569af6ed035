import type { TrunkList } from "@dialplane/sdk/operator";
import type { Difference } from "./routing-difference.ts";
import type { NewTrunks } from "./trunk-import.ts";

type Fields = Record<string, string>;

/** Members of a response that no request has, and passwords, which cannot be compared. */
const NOT_COMPARED = new Set(["status", "states", "password_set_at", "password"]);
const DEFAULTS: Fields = {
  sources: "none",
  nat: "false",
  trusts_identity: "false",
  max_calls: "0",
  switches: "all",
  "gateway.port": "5060",
  "gateway.in_trust_domain": "false",
  "gateway.history_info": "false",
};

/** Settings that change, trunk by trunk. A new password is a change. */
export function trunkDifferences(
  before: Pick<TrunkList, "trunks" | "forwarding">,
  after: NewTrunks,
): Difference[] {
  const names = [...new Set([...before.trunks, ...after.trunks].map(({ name }) => name))];
  const ofTrunks = names.flatMap((name) =>
    compared(
      name,
      before.trunks.find((one) => one.name === name),
      after.trunks.find((one) => one.name === name),
    ),
  );
  return [...ofTrunks, ...compared("forwarding", before.forwarding, after.forwarding)];
}

function compared(
  name: string,
  from: object | null | undefined,
  to: object | null | undefined,
): Difference[] {
  const [before, after] = [from ? flat(from) : {}, to ? flat(to) : {}];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = fields
    .map((field) => ({
      field: `${name} ${field}`,
      from: from ? (before[field] ?? DEFAULTS[field] ?? null) : null,
      to: to ? (after[field] ?? DEFAULTS[field] ?? null) : null,
    }))
    .filter((change) => change.from !== change.to);
  const { gateway } = { ...to } as { gateway?: { password?: string } | null };
  return gateway?.password === undefined
    ? changes
    : [...changes, { field: `${name} gateway.password`, from: null, to: "as given" }];
}

function flat(value: object, prefix = ""): Fields {
  const fields: Fields = {};
  for (const [name, member] of Object.entries(value)) {
    if (NOT_COMPARED.has(name) || name === "name") continue;
    const field = prefix + name;
    if (Array.isArray(member)) fields[field] = member.map(textOf).join(", ") || (DEFAULTS[field] ?? "none");
    else if (typeof member === "object" && member !== null) Object.assign(fields, flat(member, `${field}.`));
    else if (member !== null && member !== undefined && member !== "") fields[field] = String(member);
  }
  return fields;
}

/** An entry of a list: a network, a prefix, or a gateway of forwarding. */
function textOf(entry: unknown): string {
  if (typeof entry !== "object" || entry === null) return String(entry);
  const {
    trunk,
    priority = 1,
    weight = 1,
    ping = true,
  } = entry as {
    trunk: string;
    priority?: number;
    weight?: number;
    ping?: boolean;
  };
  return `${trunk} (priority ${priority}, weight ${weight}${ping ? "" : ", no ping"})`;
}
