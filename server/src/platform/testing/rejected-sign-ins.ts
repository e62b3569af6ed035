import type { SIGN_IN_ERRORS } from "../error-catalogue.ts";
import { giveAuthenticator } from "../../../testing/authenticator-app.ts";
import { newId } from "../ids.ts";
import { refusedPolicies } from "./rejected-policies.ts";
import { refusedProviders } from "./rejected-providers.ts";
import { newPasskeyDevice, registerPasskey } from "../../../testing/passkey-device.ts";
import { beginDevice, decideDevice, pollDevice } from "../../../testing/tool-sign-ins.ts";
import type { Sent } from "../../../testing/send.ts";
import { browser, type Service } from "../../../testing/service.ts";

/** A request that produces each code about signing in. */
export function refusedSignIns(
  service: () => Service,
): Record<keyof typeof SIGN_IN_ERRORS, () => Promise<Sent>> {
  const asSomebody = async (method: string, path: string, body: object = {}): Promise<Sent> => {
    const { cookie } = await service().person();
    return service().send(method, path, { headers: browser(cookie), body });
  };
  const asNobody = (path: string, body: object): Promise<Sent> => service().send("POST", path, { body });

  return {
    authenticator_exists: async () => {
      const { userId, cookie } = await service().person();
      await giveAuthenticator(service(), userId);
      return service().send("POST", "/v1/me/authenticator", { headers: browser(cookie) });
    },
    authenticator_not_found: () => asSomebody("DELETE", "/v1/me/authenticator"),
    challenge_not_valid: () => asNobody("/v1/sessions/code", { challenge: "x", code: "000000" }),
    code_not_valid: () => asSomebody("POST", "/v1/me/authenticator/confirm", { code: "000000" }),
    passkey_not_found: () => asSomebody("DELETE", `/v1/me/passkeys/${newId()}`),
    passkey_not_valid: async () => {
      const { cookie } = await service().person();
      const elsewhere = { ...newPasskeyDevice(service()), origin: "https://attacker.example" };
      return registerPasskey(service(), cookie, elsewhere);
    },
    passkey_limit_reached: async () => {
      const { cookie } = await service().person();
      for (let made = 0; made < 20; made++) await registerPasskey(service(), cookie);
      return registerPasskey(service(), cookie);
    },
    ...refusedProviders(service),
    ...refusedPolicies(service),
    authorization_pending: async () => pollDevice(service(), (await beginDevice(service())).device_code),
    slow_down: async () => {
      const { device_code } = await beginDevice(service());
      await pollDevice(service(), device_code);
      return pollDevice(service(), device_code);
    },
    access_denied: async () => {
      const { device_code, user_code } = await beginDevice(service());
      const { cookie } = await service().person();
      await decideDevice(service(), cookie, "deny", user_code);
      return pollDevice(service(), device_code);
    },
    expired_token: async () => {
      const { device_code } = await beginDevice(service());
      await service().database.admin("update device_sign_ins set expires_at = now()");
      return pollDevice(service(), device_code);
    },
    invalid_grant: () => pollDevice(service(), "x"),
    user_code_not_valid: () => asSomebody("POST", "/v1/device-sign-ins/look-up", { user_code: "BBBB-BBBB" }),
  };
}
