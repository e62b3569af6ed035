/** Seconds as people say them. */
export function talkTime(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  if (hours === 0) return `${minutes} min ${seconds % 60} s`;
  return `${hours.toLocaleString()} h ${minutes} min`;
}
