export const MIN_PASSWORD_LENGTH = 12;
/** Long enough for any sentence, short enough not to be a way to keep the processor busy. */
export const MAX_PASSWORD_LENGTH = 256;

/**
 * Whether an attacker would guess it early: short, common, common with additions, a keyboard run, or the
 * email address.
 */
export function isGuessable(password: string, email: string, known: ReadonlySet<string>): boolean {
  const plain = password.toLowerCase();
  const name = email.split("@", 1)[0]!;
  return (
    password.length < MIN_PASSWORD_LENGTH ||
    known.has(plain) ||
    known.has(wordOf(plain)) ||
    new Set(plain).size < 4 ||
    isRun(plain) ||
    plain === email ||
    plain.replaceAll(name, "") === ""
  );
}

/** Characters that must remain without the context words. */
const MIN_REST_LENGTH = 8;

/** The product, the host of the installation and the person's email address: docs/sign-in.md names them. */
export function contextWords(baseUrl: string, email: string): string[] {
  const names = `dialplane ${new URL(baseUrl).hostname} ${email}`.toLowerCase().split(/[^\p{L}\d]+/u);
  // The longest first, so that a word within another one does not break it up.
  return names.filter((name) => name.length >= 4).toSorted((one, other) => other.length - one.length);
}

export function isMadeOfWords(password: string, words: readonly string[]): boolean {
  let rest = password.toLowerCase();
  for (const word of words) rest = rest.replaceAll(word, "");
  return rest.length < MIN_REST_LENGTH;
}

/** Strips digits and symbols around a word: "!!password12345" gives "password". */
function wordOf(plain: string): string {
  return plain.replaceAll(/^[^a-z]+|[^a-z]+$/g, "");
}

/** Mostly one character after the other: abcdefghijkl, 123456654321. */
function isRun(plain: string): boolean {
  let steps = 0;
  for (let at = 1; at < plain.length; at++) {
    if (Math.abs(plain.charCodeAt(at) - plain.charCodeAt(at - 1)) <= 1) steps++;
  }
  return steps > (plain.length - 1) * 0.7;
}
