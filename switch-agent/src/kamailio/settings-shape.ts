/** Checks a value that came from a file; says what is wrong with it, and where, in `faults`. */
export type Check<T> = (value: unknown, at: string, faults: string[]) => T;

export function text(pattern: RegExp, what: string): Check<string> {
  return (value, at, faults) => {
    if (typeof value === "string" && pattern.test(value)) return value;
    faults.push(`${at} must be ${what}${said(value)}`);
    return "";
  };
}

export function integer(least: number, most: number): Check<number> {
  return (value, at, faults) => {
    if (Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most) return Number(value);
    faults.push(`${at} must be a whole number from ${least} to ${most}${said(value)}`);
    return least;
  };
}

export const flag: Check<boolean> = (value, at, faults) => {
  if (typeof value !== "boolean") faults.push(`${at} must be true or false${said(value)}`);
  return value === true;
};

export function oneOf<T extends string>(...allowed: T[]): Check<T> {
  return (value, at, faults) => {
    const found = allowed.find((one) => one === value);
    if (found === undefined) faults.push(`${at} must be one of ${allowed.join(", ")}${said(value)}`);
    return found ?? allowed[0]!;
  };
}

export function listOf<T>(check: Check<T>): Check<T[]> {
  return (value, at, faults) => {
    if (Array.isArray(value)) return value.map((one, index) => check(one, `${at}[${index}]`, faults));
    faults.push(`${at} must be a list${said(value)}`);
    return [];
  };
}

export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value, at, faults) => (value === null ? null : check(value, at, faults));
}

/** An optional setting and its default. */
export function optional<T>(check: Check<T>, otherwise: T): Check<T> {
  return (value, at, faults) => (value === undefined ? otherwise : check(value, at, faults));
}

/** An object with these fields and no others. */
export function shape<T extends object>(fields: { [Name in keyof T]: Check<T[Name]> }): Check<T> {
  return (value, at, faults) => {
    const given: Record<string, unknown> = {};
    if (value !== null && typeof value === "object" && !Array.isArray(value)) Object.assign(given, value);
    else faults.push(`${at || "the file"} must be an object${said(value)}`);
    const place = (name: string): string => (at === "" ? name : `${at}.${name}`);
    for (const name of Object.keys(given)) {
      if (!(name in fields)) faults.push(`${place(name)} is not a setting`);
    }
    const checks = Object.entries(fields) as [keyof T & string, Check<T[keyof T]>][];
    return Object.fromEntries(
      checks.map(([name, check]) => [name, check(given[name], place(name), faults)]),
    ) as T;
  };
}

const said = (value: unknown): string =>
  value === undefined ? ", and is missing" : `, not ${JSON.stringify(value)}`;
