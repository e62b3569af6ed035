import type { App } from "../../app.ts";
import { RETIRED, type SwitchCaller } from "../../platform/http/access.ts";
import { macOf } from "../../platform/secrets.ts";
import { isCredential } from "./switches.format.ts";
import { authenticateSwitches } from "./switches.store.ts";

/** How long a credential that was replaced, or a switch that was retired, may still be let in. */
const KNOWN_MS = 1_000;
/** Who was not heard of for this long is looked up by itself when it comes back. */
const IN_USE_MS = 30_000;

type Found = SwitchCaller | typeof RETIRED;

interface Entry {
  mac: Buffer;
  callers: Promise<ReadonlyMap<string, Found>>;
  until: number;
  usedAt: number;
}

/**
 * Whose credential it is: remembered for a moment, for an agent calls several times a second. Those in use are
 * looked up again together, so that many agents cost the database one statement a second. Credentials that are
 * nobody's are not remembered, and who sends them while flooding is not looked up at all.
 */
export function openSwitchCredentials(
  app: Pick<App, "db" | "config">,
): (token: string, from: { isFlooding: boolean }) => Promise<Found | undefined> {
  const known = new Map<string, Entry>();
  const askTogether = openLookUps(app);
  const remember = (wanted: readonly Pick<Entry, "mac" | "usedAt">[], until: number): void => {
    const callers = askTogether(wanted.map(({ mac }) => mac));
    for (const { mac, usedAt } of wanted) {
      const name = mac.toString("hex");
      const entry = { mac, callers, until, usedAt };
      known.set(name, entry);
      const forget = (): void => void (known.get(name) === entry && known.delete(name));
      callers.then((found) => found.has(name) || forget(), forget);
    }
  };
  return async (token, { isFlooding }) => {
    if (!isCredential(token)) return undefined;
    const mac = credentialMac(app, token);
    const name = mac.toString("hex");
    const now = performance.now();
    const entry = known.get(name);
    if (!entry && isFlooding) return undefined;
    if (entry) entry.usedAt = now;
    if (!entry || entry.until <= now) {
      const isInUse = (one: Entry): boolean => one !== entry && now - one.usedAt < IN_USE_MS;
      const others = entry ? [...known.values()].filter(isInUse) : [];
      remember([{ mac, usedAt: now }, ...others], now + KNOWN_MS);
    }
    return (await known.get(name)!.callers).get(name);
  };
}

/** One look-up at a time: whoever comes meanwhile goes into the next. Strangers take one connection, however many they are. */
function openLookUps(app: Pick<App, "db">): (macs: readonly Buffer[]) => Entry["callers"] {
  let next: { macs: Buffer[]; callers: Entry["callers"] } | undefined;
  let underWay: Promise<unknown> = Promise.resolve();
  return (macs) => {
    if (!next) {
      const gathered: Buffer[] = [];
      const callers = underWay.then(() => {
        next = undefined;
        return findCallers(app, gathered);
      });
      underWay = callers.catch(() => {});
      next = { macs: gathered, callers };
    }
    next.macs.push(...macs);
    return next.callers;
  };
}

export function credentialMac({ config }: Pick<App, "config">, credential: string): Buffer {
  return macOf(config.secrets.derive("switch-credential"), credential);
}

async function findCallers({ db }: Pick<App, "db">, macs: readonly Buffer[]): Promise<Map<string, Found>> {
  const found = await authenticateSwitches(db, macs);
  return new Map(
    found.map((row) => [
      row.mac,
      row.id === null
        ? RETIRED
        : { switchId: row.id, groupId: row.group_id, name: row.name, credentialMac: row.mac },
    ]),
  );
}
