import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { Sent } from "./send.ts";
import { browser, type Service } from "./service.ts";

/** A device that keeps one passkey, as far as a site can tell: ES256, and no statement about who made it. */
export interface PasskeyDevice {
  id: string;
  key: { privateKey: KeyObject; publicKey: KeyObject };
  origin: string;
  rpId: string;
  /** Signature counter. Always zero on devices without one. */
  count: number;
  userHandle: string;
  isPersonVerified: boolean;
}

export function newPasskeyDevice({ app }: Service): PasskeyDevice {
  const { origin, hostname } = new URL(app.config.baseUrl);
  return {
    id: randomBytes(32).toString("base64url"),
    key: generateKeyPairSync("ec", { namedCurve: "P-256" }),
    origin,
    rpId: hostname,
    count: 1,
    userHandle: "",
    isPersonVerified: true,
  };
}

/** As the settings page does it, with a device that makes the key. */
export async function registerPasskey(
  service: Service,
  cookie: string,
  device: PasskeyDevice = newPasskeyDevice(service),
): Promise<Sent> {
  return service.send("POST", "/v1/me/passkeys", {
    headers: browser(cookie),
    body: { name: "My telephone", credential: await makeCredential(service, cookie, device) },
  });
}

export async function makeCredential(
  service: Service,
  cookie: string,
  device: PasskeyDevice,
): Promise<object> {
  const { body } = await service.send("POST", "/v1/me/passkeys/challenges", { headers: browser(cookie) });
  device.userHandle = body.options.user.id;
  const { x, y } = device.key.publicKey.export({ format: "jwk" });
  const id = Buffer.from(device.id, "base64url");
  const authData = Buffer.concat([
    head(device, 0x40),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    // CBOR of a COSE key (RFC 9053): EC2, ES256, P-256, x, y.
    Buffer.from("a5010203262001215820", "hex"),
    Buffer.from(x!, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y!, "base64url"),
  ]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(authData.length);
  const statement = Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461" + "59", "hex");
  return credentialOf(device, {
    clientDataJSON: clientData(device, "webauthn.create", body.options.challenge),
    attestationObject: Buffer.concat([statement, length, authData]).toString("base64url"),
    transports: ["internal"],
  });
}

/** Browser's response after the device has signed a sign-in challenge. */
export async function assertPasskey(
  service: Service,
  device: PasskeyDevice,
  challenge?: string,
): Promise<object> {
  const asked = challenge ?? (await passkeyChallenge(service));
  if (device.count > 0) device.count++;
  const authData = head(device, 0);
  const data = clientData(device, "webauthn.get", asked);
  const hash = createHash("sha256").update(Buffer.from(data, "base64url")).digest();
  const signature = sign("sha256", Buffer.concat([authData, hash]), device.key.privateKey);
  return credentialOf(device, {
    clientDataJSON: data,
    authenticatorData: authData.toString("base64url"),
    signature: signature.toString("base64url"),
    userHandle: device.userHandle,
  });
}

export async function passkeyChallenge(service: Service): Promise<string> {
  return (await service.send("POST", "/v1/sessions/passkey-challenges")).body.options.challenge;
}

function credentialOf({ id }: PasskeyDevice, response: object): object {
  return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
}

function clientData({ origin }: PasskeyDevice, type: string, challenge: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString("base64url");
}

/** Hash of the site, flags (present, verified, and those given), count. */
function head({ rpId, count, isPersonVerified }: PasskeyDevice, flags: number): Buffer {
  const counted = Buffer.alloc(4);
  counted.writeUInt32BE(count);
  const all = 0x01 | (isPersonVerified ? 0x04 : 0) | flags;
  return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([all]), counted]);
}
