import type { ForwardingDriver } from "../driver.ts";
import { type Allowance, dayOf, type ForwardingUse } from "../allowance.ts";

type Rejection = "organisation_full" | "organisation_calls" | "organisation_minutes";
type Use = Required<ForwardingUse>;

/** Forwarding limits and counters of a simulated switch. */
export class SimulatedForwarding implements ForwardingDriver {
  readonly features = ["forwarding"];
  #allowances = new Map<string, Allowance>();
  readonly #use = new Map<string, Use>();

  listAllowances(): Allowance[] {
    return [...this.#allowances.values()];
  }

  async setAllowances(allowances: Allowance[]): Promise<void> {
    this.#allowances = new Map(allowances.map((one) => [one.organisationId, one]));
  }

  async readAllowances(organisationIds: string[]): Promise<(Allowance | null)[]> {
    return organisationIds.map((id) => this.#allowances.get(id) ?? null);
  }

  async readUsed(day: number, organisationIds: string[]): Promise<Use[]> {
    return organisationIds.map((id) => ({ ...this.#of(id, day) }));
  }

  async raiseUsed(used: ForwardingUse[]): Promise<void> {
    for (const { organisationId, day, calls, seconds } of used) {
      const use = this.#of(organisationId, day);
      use.calls = Math.max(use.calls, calls);
      use.seconds = Math.max(use.seconds, seconds);
    }
  }

  /** Counts a forwarded call, unless a limit rejects it. */
  begin(organisationId: string, atMs: number): Rejection | undefined {
    const allowance = this.#allowances.get(organisationId);
    const use = this.#of(organisationId, dayOf(atMs));
    if (use.callsNow >= (allowance?.callsAtOnce ?? Infinity)) return "organisation_full";
    if (use.seconds >= (allowance?.seconds ?? Infinity)) return "organisation_minutes";
    if (use.calls >= (allowance?.calls ?? Infinity)) return "organisation_calls";
    use.calls++;
    use.callsNow++;
    return undefined;
  }

  /** Seconds until a call that starts now must end. */
  secondsLeft(organisationId: string, atMs: number): number {
    const limit = this.#allowances.get(organisationId)?.seconds ?? Infinity;
    return limit - this.#of(organisationId, dayOf(atMs)).seconds;
  }

  end(organisationId: string, atMs: number, seconds: number): void {
    const use = this.#of(organisationId, dayOf(atMs));
    use.seconds += seconds;
    use.callsNow = Math.max(0, use.callsNow - 1);
  }

  /** A new day starts from zero. Calls in progress continue. */
  #of(organisationId: string, day: number): Use {
    const known = this.#use.get(organisationId);
    if (known?.day === day) return known;
    const use = { organisationId, day, calls: 0, seconds: 0, callsNow: known?.callsNow ?? 0 };
    if (known === undefined || day > known.day) this.#use.set(organisationId, use);
    return use;
  }
}
