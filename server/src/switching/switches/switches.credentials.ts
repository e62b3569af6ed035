import type { App } from "../../app.ts";
import { RETIRED, type SwitchCaller } from "../../platform/http/access.ts";
import { macOf } from "../../platform/secrets.ts";
import { isCredential } from "./switches.format.ts";
import { authenticateSwitches, type KeptCredential, moveCredential } from "./switches.store.ts";

/** Maximum time that a replaced credential or a retired switch is still accepted. */
const KNOWN_MS = 1_000;
/** A switch without a request for this long is looked up separately when it returns. */
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
 * Authenticates switches with a short cache, because an agent sends several requests a second. Entries in use are
 * refreshed together, so that many agents cost one statement a second. Unknown credentials are not cached, and
 * senders that exceed the rate limit cause no look-up.
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

/**
 * One look-up at a time: concurrent requests join the next. Unknown credentials use one connection, however many
 * there are.
 */
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

/** The stored form of a credential, with the current root key. */
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
