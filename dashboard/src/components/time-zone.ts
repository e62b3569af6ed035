import { createStore } from "../store.ts";

const KEY = "time-zone";

/** Time zone of all dates and days: an IANA name, or `undefined` for the browser's time zone. */
export const chosenZone = createStore(readZone());

function readZone(): string | undefined {
  const stored = localStorage.getItem(KEY);
  return stored && isZone(stored) ? stored : undefined;
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-GB", { timeZone: name }).format() !== "";
  } catch {
    return false;
  }
}

export function chooseZone(zone: string | undefined): void {
  if (zone) localStorage.setItem(KEY, zone);
  else localStorage.removeItem(KEY);
  chosenZone.set(zone);
}

const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** IANA name of the current time zone. */
export function timeZone(): string {
  return chosenZone.get() ?? browserZone();
}

export const allZones = (): string[] => ["UTC", ...Intl.supportedValuesOf("timeZone")];

/** City and offset, such as "Berlin, UTC+1". */
export function zoneLabel(zone: string): string {
  if (zone === "UTC") return "UTC";
  const city = zone.split("/").at(-1)!.replaceAll("_", " ");
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "shortOffset" });
  const offset = parts.formatToParts().find(({ type }) => type === "timeZoneName")!.value;
  return `${city}, ${offset.replace("GMT", "UTC")}`;
}
