import { openBreaker } from "../../platform/breaker.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { Secrets } from "../../platform/secrets.ts";
import { unsealCredentials } from "./carrier-credentials.ts";
import { KINDS } from "./carrier-kinds.ts";
import type { Carriers, Inventories, OrderingCarrier, Side, WantedNumbers } from "./carrier.ts";
import { serves } from "./carriers.rules.ts";
import { type CarrierSettingsRow, listCarrierSettings } from "./carriers.store.ts";
import { guardCarrier } from "./guarded-carrier.ts";
import { onlyTypes } from "./only-types.ts";
import { openPool } from "./pool/pool.ts";
import { openSandbox } from "./sandbox/sandbox.ts";
import { openTelnyx } from "./telnyx/telnyx.ts";

/** Carriers that settings can connect. Operators add others as rows of the table `carriers`. */
export const SETTING_CARRIERS = ["pool", "telnyx"] as const;
type SettingCarrier = (typeof SETTING_CARRIERS)[number];

/** Used until there is a row. Afterwards its carriers only accept returns. */
export interface CarrierSettings {
  /** Carrier of new live orders. */
  ordering: SettingCarrier;
  /** Carrier that is searched for live numbers, and reserves them. */
  inventory: "none" | SettingCarrier;
  /** Known also while nothing is ordered there: numbers bought there before can only be returned there. */
  telnyx: { url: string; apiKey: string } | undefined;
}

/** After 5 failures in a row, calls to a carrier pause for 10 s. */
const BREAKER = { failures: 5, pauseMs: 10_000 };
/** Every process applies a change of the table within this time. */
const READ_EVERY_MS = 2_000;

interface Surroundings {
  db: Database;
  clock: Clock;
  metrics: Metrics;
  log: Log;
  secrets: Secrets;
}

/** A row of the table. The carrier is undefined if it cannot be opened. */
interface Connected {
  row: CarrierSettingsRow;
  carrier: OrderingCarrier | undefined;
}

export interface OpenedCarriers extends Disposable {
  carriers: Carriers;
  inventory: Inventories;
}

/** Opens all carriers of an installation, and follows changes of the table. Test environments use the sandbox only. */
export async function openCarriers(app: Surroundings, settings: CarrierSettings): Promise<OpenedCarriers> {
  // Failing is what its numbers are scripted for; one customer's tests must not shut it for the others.
  const sandbox = guardCarrier(canRestore(openSandbox(app)), app);
  const defaults = openDefaults(app, settings);
  const open = openRows(app);
  let connected = open(await listCarrierSettings(app.db));
  const refresh = async (): Promise<void> => void (connected = open(await listCarrierSettings(app.db)));
  const timer = setInterval(() => {
    refresh().catch((error: unknown) =>
      app.log.warn({ err: error }, "carriers not read; known carriers stay in use"),
    );
  }, READ_EVERY_MS);
  timer.unref();

  const known = {
    rows: () => connected,
    named: (name: string) => namedIn(connected, name, () => defaults.get(name)),
    isDefault: () => connected.length === 0,
    ordering: defaults.get(settings.ordering)!,
    inventory: settings.inventory === "none" ? undefined : defaults.get(settings.inventory),
    sandbox,
  };
  return {
    carriers: { ...carriersOf(known), kinds: KINDS, refresh },
    inventory: inventoriesOf(known),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

interface Known {
  rows(): readonly Connected[];
  named(name: string): OrderingCarrier | undefined;
  /** Whether the settings choose the carrier. */
  isDefault(): boolean;
  ordering: OrderingCarrier;
  inventory: OrderingCarrier | undefined;
  sandbox: OrderingCarrier;
}

function carriersOf({
  rows,
  named,
  isDefault,
  ordering,
  sandbox,
}: Known): Omit<Carriers, "kinds" | "refresh"> {
  return {
    openFor(environment, wanted = []) {
      if (environment === "test") return [sandbox];
      return isDefault() ? [ordering] : openOnes(rows(), wanted).map(({ carrier }) => carrier);
    },
    named: (name) => (name === sandbox.name ? sandbox : named(name)),
    live: () =>
      isDefault()
        ? [ordering.name]
        : rows()
            .filter(({ row }) => row.state !== "closed")
            .map(({ row }) => row.name),
  };
}

function inventoriesOf({ rows, named, isDefault, inventory, sandbox }: Known): Inventories {
  const searched = (wanted: readonly WantedNumbers[]) =>
    openOnes(rows(), wanted).filter(({ row, carrier }) => row.inventory && carrier.inventory);
  const isConnected = (): boolean =>
    isDefault()
      ? inventory !== undefined
      : rows().some(({ row, carrier }) => row.state === "open" && row.inventory && carrier?.inventory);
  const isTest = (environment: Side["environment"]): boolean => environment === "test";
  return {
    isConnected,
    of(environment, wanted) {
      if (isTest(environment)) return isConnected() ? sandbox.inventory : undefined;
      return (isDefault() ? inventory : searched(wanted)[0]?.carrier)?.inventory;
    },
    named(environment, name) {
      if (isTest(environment)) return name === sandbox.name ? sandbox.inventory : undefined;
      return named(name)?.inventory;
    },
  };
}

function openOnes(
  rows: readonly Connected[],
  wanted: readonly WantedNumbers[],
): { row: CarrierSettingsRow; carrier: OrderingCarrier }[] {
  return rows.flatMap(({ row, carrier }) =>
    carrier && row.state === "open" && wanted.every((one) => serves(row, one)) ? [{ row, carrier }] : [],
  );
}

function namedIn(
  rows: readonly Connected[],
  name: string,
  byDefault: () => OrderingCarrier | undefined,
): OrderingCarrier | undefined {
  const found = rows.find(({ row }) => row.name === name);
  if (!found) return byDefault();
  return found.row.state === "closed" ? undefined : found.carrier;
}

/** Those that the settings name. The pool needs no settings. */
function openDefaults(
  app: Surroundings,
  { ordering, inventory, telnyx }: CarrierSettings,
): ReadonlyMap<string, OrderingCarrier> {
  const opened: OrderingCarrier[] = [openPool(app), ...(telnyx ? [openTelnyx({ ...telnyx, ...app })] : [])];
  const defaults = new Map(opened.map((one) => [one.name, guarded(app, one)]));
  if (![ordering, inventory].every((name) => name === "none" || defaults.has(name)))
    throw new Error("The configured carrier is not connected.");
  return defaults;
}

/** Opens a carrier once, and again when its URL, credentials or features change. It keeps its breaker until then. */
function openRows(app: Surroundings): (rows: readonly CarrierSettingsRow[]) => readonly Connected[] {
  const opened = new Map<string, { key: string; carrier: OrderingCarrier | undefined }>();
  return (rows) =>
    rows.map((row) => {
      const key = JSON.stringify([
        row.kind,
        row.url,
        row.features,
        row.sealed_credentials?.toString("base64"),
      ]);
      const before = opened.get(row.id);
      const isKnown = before?.key === key;
      // One that could not be opened is opened later: this process may not know its root key yet.
      const carrier = isKnown && before.carrier ? before.carrier : openRow(app, row, { isLogged: !isKnown });
      opened.set(row.id, { key, carrier });
      return { row, carrier: carrier && onlyTypes(carrier, row.number_types) };
    });
}

function openRow(
  app: Surroundings,
  row: CarrierSettingsRow,
  { isLogged }: { isLogged: boolean },
): OrderingCarrier | undefined {
  try {
    const kind = KINDS[row.kind as keyof typeof KINDS];
    const credentials = unsealCredentials(app.secrets, row);
    const url = row.url ?? kind.url?.default ?? "";
    const { name, features } = row;
    return guarded(app, kind.open({ name, url, credentials, features, db: app.db, clock: app.clock }));
  } catch (error) {
    if (isLogged) app.log.error({ err: error, carrier: row.name }, "carrier not connected");
    return undefined;
  }
}

function guarded<Given extends OrderingCarrier>({ clock, metrics }: Surroundings, carrier: Given): Given {
  return guardCarrier(canRestore(carrier), { metrics, breaker: openBreaker(clock, BREAKER) });
}

/** Rejects carriers without `release`: a number that was bought must be returnable. */
export function canRestore<Given extends OrderingCarrier>(carrier: Given): Given {
  // Types are gone when an adapter runs.
  if (typeof carrier.ordering.release !== "function")
    throw new Error(
      `Numbers cannot be ordered from ${carrier.name}: the carrier adapter has no release function.`,
    );
  return carrier;
}
