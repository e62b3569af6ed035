import { Compile } from "typebox/compile";
import type { App } from "../../app.ts";
import { ApiError } from "../../platform/api-error.ts";
import { violatedConstraint } from "../../platform/db/database-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { seal } from "../../platform/sealed-secrets.ts";
import { type Author, recordAct } from "../../events/audit/audit.ts";
import { CarrierFault, type CarrierKindName, type CarrierTrunk } from "../carriers/carrier.ts";
import { invalid } from "./connected-carriers.faults.ts";
import type { ChangeCarrier, CreateCarrier } from "./connected-carriers.schema.ts";
import {
  type CarrierRow,
  countUses,
  findCarrier,
  insertCarrier,
  listCarriersAfter,
  lockCarrier,
  setCarrier,
  setCredentials,
  type StoredCredentials,
} from "./connected-carriers.store.ts";
import { changeTrunks, trunksOf } from "./connected-carriers.trunks.ts";

export type { CarrierRow };

type Needs = Pick<App, "db" | "clock" | "config" | "secrets" | "carriers">;

const USUAL_PREFERENCE = 100;

export async function listCarriers({ db }: Pick<App, "db">, page: Page): Promise<CarrierRow[]> {
  return db.forSystem("carriers", (tx) => listCarriersAfter(tx, page.after, page.limit));
}

export async function getCarrier({ db }: Pick<App, "db">, id: string): Promise<CarrierRow> {
  return db.forSystem("carriers", (tx) => requireCarrier(tx, id));
}

/** From the first carrier on, the settings ORDERING and INVENTORY no longer choose. */
export async function createCarrier(app: Needs, author: Author, wanted: CreateCarrier): Promise<CarrierRow> {
  const at = app.clock.now();
  const id = newId();
  rejectUrl(app, wanted.kind, wanted.url);
  const credentials = checkedCredentials(app, wanted.kind, wanted.credentials);
  const features = await featuresOf(app, wanted.kind, { ...wanted, credentials });
  const row: CarrierRow & StoredCredentials = {
    id,
    name: wanted.name,
    kind: wanted.kind,
    url: wanted.url ?? null,
    ...storedCredentials(app, id, credentials),
    countries: tidy(wanted.countries),
    number_types: tidy(wanted.number_types),
    features,
    preference: wanted.preference ?? USUAL_PREFERENCE,
    inventory: wanted.inventory ?? true,
    deliveries: [],
    repairs_delivery: false,
    state: "open",
    created_at: at,
    updated_at: at,
  };
  const created = await app.db.forSystem("carriers", async (tx) => {
    await insertCarrier(tx, row).catch(rejectName);
    const after = { name: row.name, kind: row.kind, ...settingsOf(row) };
    await recordAct(tx, author, at, { action: "carrier.created", subject: id, before: null, after });
    return requireCarrier(tx, id);
  });
  await app.carriers.refresh();
  return created;
}

export async function changeCarrier(
  app: Needs,
  author: Author,
  id: string,
  { credentials, ...change }: ChangeCarrier,
): Promise<CarrierRow> {
  const at = app.clock.now();
  const features = await changedFeatures(app, id, { ...change, credentials });
  const changed = await app.db.forSystem("carriers", async (tx) => {
    const before = await lockCarrier(tx, id);
    if (!before) throw noSuchCarrier();
    const after: CarrierRow = {
      ...before,
      ...change,
      ...(change.countries && { countries: tidy(change.countries) }),
      ...(change.number_types && { number_types: tidy(change.number_types) }),
      ...(features && { features }),
      updated_at: at,
    };
    const kind = before.kind as CarrierKindName;
    if (after.url !== before.url) rejectMove(app, { kind, url: after.url, credentials });
    if (after.state === "closed" && before.state !== "closed") await rejectUsed(tx, before);
    await setCarrier(tx, after);
    if (change.deliveries) await changeTrunks(tx, app, before, change.deliveries);
    if (credentials) {
      const checked = checkedCredentials(app, kind, credentials);
      await setCredentials(tx, id, storedCredentials(app, id, checked));
    }
    await recordAct(tx, author, at, {
      action: "carrier.changed",
      subject: id,
      detail: { name: before.name, ...(credentials && { has_new_credentials: true }) },
      before: settingsOf(before),
      after: settingsOf(after),
    });
    return requireCarrier(tx, id);
  });
  await app.carriers.refresh();
  return changed;
}

/** The trunks of the account, from the carrier. */
export async function listTrunks(app: Needs, id: string): Promise<CarrierTrunk[]> {
  return trunksOf(app, await getCarrier(app, id));
}

/** Read before anything is stored: an address or a secret that is wrong connects nothing. */
async function featuresOf(
  { carriers }: Needs,
  kind: CarrierKindName,
  {
    name,
    url,
    credentials = {},
  }: { name: string; url?: string | null | undefined; credentials?: Record<string, string> | undefined },
): Promise<string[]> {
  const { describe } = carriers.kinds[kind];
  if (!describe) return [];
  try {
    return await describe({ name, url: url ?? "", credentials });
  } catch (error) {
    if (!(error instanceof CarrierFault)) throw error;
    throw new ApiError("carrier_check_failed", error.message);
  }
}

/** Undefined if neither address nor credentials change. */
async function changedFeatures(
  app: Needs,
  id: string,
  { url, credentials }: { url?: string | null | undefined; credentials: Record<string, string> | undefined },
): Promise<string[] | undefined> {
  if (!credentials) return undefined;
  const row = await getCarrier(app, id);
  const kind = row.kind as CarrierKindName;
  const wanted = url === undefined ? row.url : url;
  rejectUrl(app, kind, wanted ?? undefined);
  const checked = checkedCredentials(app, kind, credentials);
  return featuresOf(app, kind, { name: row.name, url: wanted, credentials: checked });
}

/** An operator who cannot read the credentials must not get them by naming another address. */
function rejectMove(
  app: Needs,
  {
    kind,
    url,
    credentials,
  }: { kind: CarrierKindName; url: string | null; credentials: Record<string, string> | undefined },
): void {
  rejectUrl(app, kind, url ?? undefined);
  if (credentials || !app.carriers.kinds[kind].credentials) return;
  throw invalid("#/credentials", "required", "A new url needs the credentials too.");
}

function rejectUrl({ carriers, config }: Needs, kind: CarrierKindName, url: string | undefined): void {
  const takes = carriers.kinds[kind].url;
  if (url === undefined) {
    if (takes && takes.default === undefined)
      throw invalid("#/url", "required", `A carrier of kind ${kind} needs a url.`);
    return;
  }
  if (!takes) throw invalid("#/url", "not_allowed", `A carrier of kind ${kind} has no url.`);
  const { protocol, username, password } = URL.parse(url) ?? {};
  if (!protocol || username || password)
    throw invalid("#/url", "malformed", "The url must be an http(s) address without a user name.");
  if (config.mode === "production" && protocol !== "https:")
    throw invalid("#/url", "not_allowed", "The url must be https: the credentials are sent there.");
}

/** Undefined if the kind has none. The error never repeats a value. */
function checkedCredentials(
  { carriers }: Needs,
  kind: CarrierKindName,
  given: Record<string, string> | undefined,
): Record<string, string> | undefined {
  const schema = carriers.kinds[kind].credentials;
  if (!schema) {
    if (given && Object.keys(given).length > 0)
      throw invalid("#/credentials", "not_allowed", `A carrier of kind ${kind} has no credentials.`);
    return undefined;
  }
  const { required = [], properties } = schema as unknown as {
    required?: string[];
    properties: Record<string, unknown>;
  };
  if (Compile(schema).Check(given ?? {})) return given;
  const isComplete =
    required.every((name) => given?.[name]) && Object.keys(given!).every((name) => name in properties);
  if (isComplete)
    throw invalid(
      "#/credentials",
      "malformed",
      "Credentials have only visible ASCII characters, without spaces, and a secret has at least 16.",
    );
  const fields = Object.keys(properties).map((name) =>
    required.includes(name) ? name : `${name} (optional)`,
  );
  throw invalid("#/credentials", "malformed", `A carrier of kind ${kind} needs ${fields.join(", ")}.`);
}

const NONE: StoredCredentials = {
  sealed_credentials: null,
  root_id: null,
  credentials_set_at: null,
  credentials_end: null,
};
const SHOWN_CHARACTERS = 4;
/** The shown part of a secret must leave the rest unguessable. */
const SHORTEST_SHOWN = 16;

/** Sealed as `unsealCredentials` reads them. */
function storedCredentials(
  { secrets, clock }: Needs,
  id: string,
  credentials: Record<string, string> | undefined,
): StoredCredentials {
  if (!credentials) return NONE;
  const { key, rootId } = secrets.current("carrier-credentials");
  const [first = ""] = Object.values(credentials);
  return {
    sealed_credentials: seal(key, id, JSON.stringify(credentials)),
    root_id: rootId,
    credentials_set_at: clock.now(),
    credentials_end: first.length >= SHORTEST_SHOWN ? first.slice(-SHOWN_CHARACTERS) : null,
  };
}

async function rejectUsed(tx: Tx, { name }: CarrierRow): Promise<void> {
  const { numbers, orders } = await countUses(tx, name);
  const left = [numbers > 0 && `${numbers} numbers`, orders > 0 && `${orders} orders`].filter(Boolean);
  if (left.length > 0)
    throw new ApiError(
      "carrier_in_use",
      `${name} still has ${left.join(" and ")}. Numbers in quarantine count.`,
    );
}

function settingsOf(row: CarrierRow) {
  const { url, countries, number_types, preference, inventory, state, deliveries, repairs_delivery } = row;
  return { url, countries, number_types, preference, inventory, state, deliveries, repairs_delivery };
}

function tidy(values: readonly string[] = []): string[] {
  return [...new Set(values)].toSorted();
}

async function requireCarrier(tx: Tx, id: string): Promise<CarrierRow> {
  const row = await findCarrier(tx, id);
  if (!row) throw noSuchCarrier();
  return row;
}

function rejectName(error: unknown): never {
  const constraint = violatedConstraint(error);
  if (constraint === "carriers_name_key")
    throw new ApiError("carrier_name_taken", "Another carrier has this name.");
  if (constraint?.startsWith("carriers_"))
    throw invalid(
      "#/name",
      "not_allowed",
      "The names pool and telnyx belong to carriers of these kinds, the pool has no other name, and sandbox is the carrier of test environments.",
    );
  throw error;
}

function noSuchCarrier(): ApiError {
  return new ApiError("carrier_not_found", "No carrier with this ID.");
}
