import { ConfigError } from "./config-secrets.ts";
import type { SettingName } from "./settings.ts";

interface Reading {
  get: (name: SettingName) => string;
  atLeast: (least: number, name: SettingName, text: string) => number;
}

export interface RetentionSettings {
  eventsDays: number;
  auditMonths: number;
  callRecordsMonths: number;
  callPartiesDays: number;
  /** Folder for call records that are about to be deleted. */
  callArchive: string | undefined;
  usageHoursMonths: number;
  usageYears: number;
}

/** Webhook deliveries are kept for 30 days and need their events. */
const LEAST_EVENTS_DAYS = 35;

export function readRetention({ get, atLeast }: Reading): RetentionSettings {
  const number = (least: number, name: SettingName): number => atLeast(least, name, get(name));
  const callRecordsMonths = number(14, "CALL_RECORDS_MONTHS");
  const eventsDays = number(LEAST_EVENTS_DAYS, "EVENTS_DAYS");
  const auditMonths = number(2, "AUDIT_MONTHS");
  if (auditMonths * 28 < eventsDays)
    throw new ConfigError("AUDIT_MONTHS must be at least as long as EVENTS_DAYS.");
  const usageHoursMonths = number(14, "USAGE_HOURS_MONTHS");
  if (usageHoursMonths < callRecordsMonths)
    throw new ConfigError("USAGE_HOURS_MONTHS must be CALL_RECORDS_MONTHS or more.");
  const usageYears = number(2, "USAGE_YEARS");
  if (usageYears * 12 < usageHoursMonths)
    throw new ConfigError("USAGE_YEARS must be at least as long as USAGE_HOURS_MONTHS.");
  return {
    eventsDays,
    auditMonths,
    callRecordsMonths,
    callPartiesDays: number(1, "CALL_PARTIES_DAYS"),
    callArchive: get("CALL_ARCHIVE") || undefined,
    usageHoursMonths,
    usageYears,
  };
}
