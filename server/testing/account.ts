import { SEED_PASSWORD } from "../src/seed.ts";
import type { Sent } from "./send.ts";
import { type Service, until } from "./service.ts";

/** As the sign-in page does it. */
export function signIn(
  service: Service,
  email: string,
  password = SEED_PASSWORD,
  headers: Record<string, string> = {},
): Promise<Sent> {
  return service.send("POST", "/v1/sessions", { headers, body: { email, password } });
}

/** Session token from the response's cookie. */
export function cookieIn(answer: Sent): string {
  const token = /^__Host-svc_session=([^;]+);/.exec(answer.headers["set-cookie"]?.[0] ?? "")?.[1];
  if (!token) throw new Error(`No session in the answer ${answer.status}: ${answer.text}`);
  return token;
}

/** Waits for the worker to send it. */
export function mailTo(service: Service, address: string, subject: string): Promise<string> {
  return until(() =>
    service
      .mails()
      .findLast((mail) => mail.includes(`\nTo: ${address}\n`) && mail.includes(`\nSubject: ${subject}`)),
  );
}

/** Fragment of a mailed link. */
export function tokenIn(mail: string): string {
  const token = /https?:\/\/\S+#([\w-]+)/.exec(mail)?.[1];
  if (!token) throw new Error(`No link in the mail:\n${mail}`);
  return token;
}
