const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

export function dayOf(at: string): string {
  return DAY.format(new Date(at));
}

export function momentOf(at: string): string {
  return MOMENT.format(new Date(at));
}
