import { callsText } from "./calls-text.ts";

/** Such as "6 s", or "0.34 s" below a second. */
export function secondsOf(ms: number): string {
  const digits = ms < 1_000 ? 2 : ms < 10_000 ? 1 : 0;
  return callsText.seconds(String(Number((ms / 1_000).toFixed(digits))));
}

/** Such as "2:31". */
export function clockLength(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  const rest = String(seconds % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** Such as "2 min 31 s". */
export function lengthOf(seconds: number): string {
  if (seconds < 60) return callsText.seconds(String(seconds));
  if (seconds < 3_600) return callsText.length(Math.floor(seconds / 60), seconds % 60);
  return callsText.longLength(Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60));
}
