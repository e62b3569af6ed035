import { codeAt, stepAt } from "../src/people/authenticators/authenticators.codes.ts";
import { newId } from "../src/platform/ids.ts";
import { macOf } from "../src/platform/secrets.ts";
import type { Service } from "./service.ts";

export interface AuthenticatorApp {
  /** Current code, or the code `later` steps from now. */
  code(later?: number): string;
}

/** An app for whom it may concern, past setting it up; in place of one they had. */
export async function giveAuthenticator(
  { app, clock, database }: Service,
  userId: string,
  { isConfirmed = true } = {},
): Promise<AuthenticatorApp> {
  const id = newId();
  const { key, rootId } = app.secrets.current("authenticator");
  const confirmedAt = isConfirmed ? clock.now() : null;
  await database.admin(
    `insert into authenticators (id, user_id, created_at, confirmed_at, root_id) values ($1, $2, $3, $4, $5)
     on conflict (user_id) do update set id = $1, last_step = 0, created_at = $3, confirmed_at = $4, root_id = $5`,
    [id, userId, clock.now(), confirmedAt, rootId],
  );
  const secret = macOf(key, id).subarray(0, 20);
  return { code: (later = 0) => codeAt(secret, stepAt(clock.now()) + later) };
}

/** As an app reads what a QR code holds. */
export function appOf(otpauthUri: string, now: () => Date): AuthenticatorApp {
  const secret = fromBase32(new URL(otpauthUri).searchParams.get("secret")!);
  return { code: (later = 0) => codeAt(secret, stepAt(now()) + later) };
}

function fromBase32(text: string): Buffer {
  const bits = text.replaceAll(/./g, (letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
