import { Type } from "typebox";
import { ApiError } from "../api-error.ts";

export const Moment = Type.String({
  maxLength: 30,
  pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?Z$`,
  examples: ["2026-11-01T00:00:00Z"],
});

/** Filters of a list by time. `of` names its items and their time. */
export const windowOf = (of: string) => ({
  from: Type.Optional(
    Type.String({
      ...Moment,
      description: `Start of the window, inclusive. Only ${of} at this time or later.`,
    }),
  ),
  to: Type.Optional(
    Type.String({ ...Moment, description: `End of the window, exclusive. Only ${of} before this time.` }),
  ),
});

const MOMENT =
  /^(?<date>\d{4}-\d\d-\d\d)T(?<minute>\d\d:\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))?)?Z$/;

/** Milliseconds of a UTC time. Undefined for times that do not exist, such as 30 February. */
function momentOf(text: string): number | undefined {
  const { date, minute, second = "00", fraction = "" } = MOMENT.exec(text)?.groups ?? {};
  const spelt = `${date}T${minute}:${second}.${fraction.slice(0, 3).padEnd(3, "0")}Z`;
  const at = new Date(spelt);
  return !Number.isNaN(at.getTime()) && at.toISOString() === spelt ? at.getTime() : undefined;
}

export function momentIn<Name extends string>(query: Record<Name, string>, parameter: Name): number {
  const at = momentOf(query[parameter]);
  if (at !== undefined) return at;
  const detail = `Parameter ${parameter} is not a valid date and time.`;
  throw new ApiError("invalid_request", detail, { errors: [{ parameter, code: "malformed", detail }] });
}

/** PostgreSQL has no year 0. Nothing happened in it either. */
const FIRST = Date.UTC(1970, 0, 1);

export function edgesOf({ from, to }: { from?: string; to?: string }): { from?: Date; to?: Date } {
  const edge = (at: number): Date => new Date(Math.max(FIRST, at));
  return {
    ...(from !== undefined && { from: edge(momentIn({ from }, "from")) }),
    ...(to !== undefined && { to: edge(momentIn({ to }, "to")) }),
  };
}
