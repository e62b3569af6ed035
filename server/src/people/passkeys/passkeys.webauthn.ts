import type {
  VerifyAuthenticationResponseOpts,
  VerifyRegistrationResponseOpts,
} from "@simplewebauthn/server";
import type { App } from "../../app.ts";
import type { SessionCaller } from "../../platform/http/access.ts";
import { isId } from "../../platform/ids.ts";
import type { Assertion, Attestation } from "./passkeys.schema.ts";
import type { PasskeyRow } from "./passkeys.store.ts";

type Needs = Pick<App, "config">;

/** Loaded at the first use of a passkey: it is a tenth of the processor time that loading costs, also for a command. */
const webauthn = async () => import("@simplewebauthn/server");

/** The person is verified by the device, so a passkey is two factors in one; and it is found without a name. */
const SELECTION = { residentKey: "required", userVerification: "required" } as const;

/** EdDSA, ES256, RS256: what every device has one of. */
const ALGORITHMS = [-8, -7, -257];

export async function creationOptions(
  { config }: Needs,
  caller: SessionCaller,
  challenge: string,
  known: readonly PasskeyRow[],
): Promise<Record<string, unknown>> {
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: "Dialplane",
    rpID: rpIdOf(config.baseUrl),
    userName: caller.email,
    userDisplayName: caller.name,
    userID: bytesOf(Buffer.from(caller.userId.replaceAll("-", ""), "hex")),
    challenge: bytesOf(Buffer.from(challenge, "base64url")),
    attestationType: "none",
    authenticatorSelection: SELECTION,
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map((one) => ({ id: one.credential_id, transports: one.transports })),
  });
  return { ...options };
}

export async function requestOptions({ config }: Needs, challenge: string): Promise<Record<string, unknown>> {
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: rpIdOf(config.baseUrl),
    challenge: bytesOf(Buffer.from(challenge, "base64url")),
    userVerification: "required",
  });
  return { ...options };
}

/** Challenge that a credential signs. The database decides whether it is ours and unused. */
export function challengeIn({ response }: Assertion | Attestation): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString());
    const { challenge } = data as { challenge?: unknown };
    return typeof challenge === "string" ? challenge : "";
  } catch {
    return "";
  }
}

/** Claimed owner of the passkey: the handle from its registration, which is the user's ID. */
export function ownerIn({ response }: Assertion): string | undefined {
  const hex = Buffer.from(response.userHandle ?? "", "base64url").toString("hex");
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return isId(id) ? id : undefined;
}

type Verified = Pick<PasskeyRow, "credential_id" | "public_key" | "sign_count" | "is_synced">;

/** Undefined if it was not made by a device, for this site, with the person verified. */
export async function verifiedAttestation(
  { config }: Needs,
  attestation: Attestation,
): Promise<Verified | undefined> {
  const { verifyRegistrationResponse } = await webauthn();
  const answer = await verifyRegistrationResponse({
    response: attestation as VerifyRegistrationResponseOpts["response"],
    expectedChallenge: challengeIn(attestation),
    expectedOrigin: new URL(config.baseUrl).origin,
    expectedRPID: rpIdOf(config.baseUrl),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (!answer?.verified) return undefined;
  const { credential, credentialDeviceType } = answer.registrationInfo;
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    sign_count: credential.counter,
    is_synced: credentialDeviceType === "multiDevice",
  };
}

/** Signature counter of the device. Undefined if the signature is not from this passkey for this site. */
export async function verifiedCount(
  { config }: Needs,
  passkey: PasskeyRow,
  assertion: Assertion,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webauthn();
  const answer = await verifyAuthenticationResponse({
    response: assertion as VerifyAuthenticationResponseOpts["response"],
    expectedChallenge: challengeIn(assertion),
    expectedOrigin: new URL(config.baseUrl).origin,
    expectedRPID: rpIdOf(config.baseUrl),
    credential: {
      id: passkey.credential_id,
      publicKey: bytesOf(passkey.public_key),
      counter: passkey.sign_count,
    },
    requireUserVerification: true,
  }).catch(() => undefined);
  return answer?.verified ? answer.authenticationInfo.newCounter : undefined;
}

function rpIdOf(baseUrl: string): string {
  return new URL(baseUrl).hostname;
}

/** A buffer may be a view of a larger one. The library needs a separate array. */
function bytesOf(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer);
}
