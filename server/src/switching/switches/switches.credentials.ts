import type { App } from "../../app.ts";
import { RETIRED, type SwitchCaller } from "../../platform/http/access.ts";
import { macOf } from "../../platform/secrets.ts";
import { isCredential } from "./switches.format.ts";
import { authenticateSwitches, type KeptCredential, moveCredential } from "./switches.store.ts";

/** How long a credential that was replaced, or a switch that was retired, may still be let in. */
const KNOWN_MS = 1_000;
/** Who was not heard of for this long is looked up by itself when it comes back. */
const IN_USE_MS = 30_000;

type Found = SwitchCaller | typeof RETIRED;

interface Entry {
  /** With every root key that the credential can be kept by, the current one first. */
  macs: readonly Buffer[];
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
  app: Pick<App, "db" | "secrets" | "log">,
): (token: string, from: { isFlooding: boolean }) => Promise<Found | undefined> {
  const known = new Map<string, Entry>();
  const askTogether = openLookUps(app);
  const remember = (wanted: readonly Pick<Entry, "macs" | "usedAt">[], until: number): void => {
    const callers = askTogether(wanted.flatMap(({ macs }) => macs));
    for (const { macs, usedAt } of wanted) {
      const name = macs[0]!.toString("hex");
      const entry = { macs, callers, until, usedAt };
      known.set(name, entry);
      const forget = (): void => void (known.get(name) === entry && known.delete(name));
      callers.then((found) => foundBy(found, macs) || forget(), forget);
    }
  };
  return async (token, { isFlooding }) => {
    if (!isCredential(token)) return undefined;
    const macs = app.secrets.all("switch-credential").map(({ key }) => macOf(key, token));
    const name = macs[0]!.toString("hex");
    const now = performance.now();
    const entry = known.get(name);
    if (!entry && isFlooding) return undefined;
    if (entry) entry.usedAt = now;
    if (!entry || entry.until <= now) {
      const isInUse = (one: Entry): boolean => one !== entry && now - one.usedAt < IN_USE_MS;
      const others = entry ? [...known.values()].filter(isInUse) : [];
      remember([{ macs, usedAt: now }, ...others], now + KNOWN_MS);
    }
    const found = await known.get(name)!.callers;
    const caller = foundBy(found, macs);
    if (caller && caller !== RETIRED && !found.has(name)) move(app, caller, token);
    return caller;
  };
}

function foundBy(found: ReadonlyMap<string, Found>, macs: readonly Buffer[]): Found | undefined {
  const mac = macs.find((one) => found.has(one.toString("hex")));
  return mac && found.get(mac.toString("hex"));
}

/** It was found by an older root key; from its next look-up on, by the current one. */
function move(app: Pick<App, "db" | "secrets" | "log">, caller: SwitchCaller, token: string): void {
  moveCredential(app.db, caller, credentialOf(app, token)).catch((error: unknown) =>
    app.log.warn(
      { err: error, switch: caller.switchId },
      "a credential was not moved to the current root key",
    ),
  );
}

/** One look-up at a time: whoever comes in the meantime goes into the next. Strangers take one connection, however many they are. */
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

/** What is kept of a credential, with the newest root key. */
export function credentialOf({ secrets }: Pick<App, "secrets">, credential: string): KeptCredential {
  const { key, rootId } = secrets.current("switch-credential");
  return { mac: macOf(key, credential), rootId };
}

async function findCallers({ db }: Pick<App, "db">, macs: readonly Buffer[]): Promise<Map<string, Found>> {
  const found = await authenticateSwitches(db, macs);
  return new Map(
    found.map((row) => [
      row.mac,
      row.id === null
        ? RETIRED
        : {
            switchId: row.id,
            groupId: row.group_id,
            name: row.name,
            credentialVersion: row.credential_version,
          },
    ]),
  );
}
