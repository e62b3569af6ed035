import type { ForwardingDriver } from "../driver.ts";
import type { Allowance, ForwardingUse } from "../allowance.ts";
import { payerIn } from "./route-steps.ts";
import type { SwitchMemory } from "./switch-memory.ts";
import type { SwitchRows } from "./switch-rows.ts";

interface Needs {
  rows: SwitchRows;
  memory: SwitchMemory;
  features(): readonly string[];
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

const PAGE = 1_000;

/** Forwarding limits in the switch's table `org`, and what was used of them in its table `used`. */
export class HeldAllowances implements ForwardingDriver {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  get features(): readonly string[] {
    return this.#needs.features();
  }

  listAllowances(): Allowance[] {
    return this.#listRows().map(({ key, text }) => readAllowance(key, text)!);
  }

  async setAllowances(allowances: Allowance[]): Promise<void> {
    const { rows, memory, inTurn } = this.#needs;
    await inTurn(async () => {
      const texts = new Map(allowances.map((one) => [one.organisationId, textOf(one)]));
      const keys = [...new Set([...this.#listRows().map(({ key }) => key), ...texts.keys()])];
      const wanted = keys.map((key) => ({ table: "org" as const, key, text: texts.get(key) ?? null }));
      rows.write(wanted.filter(({ key, text }) => (rows.find("org", key) ?? null) !== text));
      const held = await memory.get("org", keys);
      await memory.set(
        "org",
        wanted.filter(({ text }, place) => (held[place] ?? null) !== text),
      );
    });
  }

  async readAllowances(organisationIds: string[]): Promise<(Allowance | null)[]> {
    const texts = await this.#needs.memory.get("org", organisationIds);
    return texts.map((text, place) =>
      text === undefined ? null : (readAllowance(organisationIds[place]!, text) ?? null),
    );
  }

  /** The switch knows its own day only. */
  async readUsed(_day: number, organisationIds: string[]): Promise<ForwardingUse[]> {
    const texts = await this.#needs.memory.get("used", organisationIds);
    return texts.flatMap((text, place) => {
      const [day, calls, seconds, callsNow] = (text ?? "").split("|").map(Number);
      if (callsNow === undefined) return [];
      return {
        organisationId: organisationIds[place]!,
        day: day!,
        calls: calls!,
        seconds: seconds!,
        callsNow,
      };
    });
  }

  async raiseUsed(used: ForwardingUse[]): Promise<void> {
    const ids = used.map(({ organisationId }) => organisationId);
    const counted = new Map((await this.readUsed(0, ids)).map((own) => [own.organisationId, own]));
    const isBehind = ({ organisationId, day, calls, seconds }: ForwardingUse): boolean => {
      const own = counted.get(organisationId);
      return own !== undefined && (own.day !== day || own.calls < calls || own.seconds < seconds);
    };
    const rows = used
      .filter(isBehind)
      .map(({ organisationId: key, day, calls, seconds }) => ({ key, text: `${day}|${calls}|${seconds}` }));
    await this.#needs.memory.set("used", rows);
  }

  /** Organisation that pays for forwarded calls of a number. Undefined if its route cannot forward. */
  payerOf(numberId: string): string | undefined {
    const { rows } = this.#needs;
    const number = rows.findKey(numberId);
    const text = number === undefined ? undefined : rows.find("rt", number);
    return (text && payerIn(text.split("|"))) || undefined;
  }

  #listRows(): { key: string; text: string }[] {
    const { rows } = this.#needs;
    const all = [];
    for (
      let page = rows.page("org", "", PAGE);
      page.length > 0;
      page = rows.page("org", page.at(-1)!.key, PAGE)
    )
      all.push(...page);
    return all;
  }
}

/** calls at once|calls per day|seconds per day|caller ID|identity|version. An empty field means no limit. */
function textOf({ callsAtOnce, calls, seconds, caller, identity, version }: Allowance): string {
  return [callsAtOnce, calls, seconds, caller, identity, version].join("|");
}

/** Undefined for text that `textOf` does not return. */
function readAllowance(organisationId: string, text: string): Allowance | undefined {
  const [atOnce, calls, seconds, caller, identity, version] = text.split("|");
  const limitOf = (field = ""): number | null => (field === "" ? null : Number(field));
  const allowance: Allowance = {
    organisationId,
    version: Number(version),
    callsAtOnce: limitOf(atOnce),
    calls: limitOf(calls),
    seconds: limitOf(seconds),
    caller: caller ?? "",
    identity: identity === "drop" ? "drop" : "keep",
  };
  return textOf(allowance) === text ? allowance : undefined;
}
