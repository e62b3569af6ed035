import { usageText } from "./usage-text.ts";
/** Readable duration. */
export function talkTime(seconds: number): string {
  if (seconds < 60) return usageText.seconds(seconds);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  if (hours === 0) return usageText.minutes(minutes, seconds % 60);
  return usageText.hours(hours, minutes);
}
