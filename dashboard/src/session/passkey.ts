import type { PasskeyAssertion, PasskeyAttestation, PasskeyChallenge } from "@dialplane/sdk";
import { sessionText } from "./session-text.ts";

export const HAS_PASSKEYS = typeof PublicKeyCredential !== "undefined";

/** Asks the browser for a passkey assertion. */
export async function provePasskey({ options }: PasskeyChallenge): Promise<PasskeyAssertion> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  return jsonOf(await navigator.credentials.get({ publicKey })) as PasskeyAssertion;
}

/** Asks the browser for a new passkey. */
export async function makePasskey({ options }: PasskeyChallenge): Promise<PasskeyAttestation> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return jsonOf(await navigator.credentials.create({ publicKey })) as PasskeyAttestation;
}

function jsonOf(credential: Credential | null): unknown {
  if (!credential) throw new Error(sessionText.passkeyMissing);
  return (credential as PublicKeyCredential).toJSON();
}
