import { sharedText } from "../components/shared-text.ts";

export const probeSettingsText = {
  title: "Probes",
  none: "The organisation cannot place probes.",
  limit: (perDay: number, used: number) =>
    `${perDay.toLocaleString()} per day, ${used.toLocaleString()} placed today (UTC)`,
  change: "Change probe limit",
  limitTitle: (name: string) => `Probe limit of ${name}`,
  limitHint: "A probe through a carrier is a paid call.",
  perDay: "Probes per day (UTC)",
  perDayHint: "0 for none.",
  perDayInvalid: "Enter a whole number from 0 to 100,000.",
  saved: "Probe limit saved",

  caller: "Caller of probes",
  callerNone: "Probes through a carrier are off for this group.",
  callerShown: (caller: string, trunk: string) => `${caller}, through the trunk ${trunk}`,
  callerChange: "Change caller",
  callerTitle: (group: string) => `Caller of probes in ${group}`,
  callerHint: "Switches recognise a probe by its caller. Use a number that makes no other calls.",
  callerNumber: "Caller",
  callerInvalid: "Enter a number with + and country code.",
  trunk: "Trunk",
  trunkRequired: "Choose a trunk with a gateway.",
  trunkNone: "No trunk of the group has a gateway.",
  callerSaved: "Caller of probes saved",
  save: sharedText.save,
} as const;
