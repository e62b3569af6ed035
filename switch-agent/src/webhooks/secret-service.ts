import { ControlPlaneError, NO_CODE } from "../control-plane-error.ts";

export interface SigningSecret {
  secret: string;
  /** It signs no more after this; null: until there is another. */
  until: string | null;
}

/** Organisation whose secrets sign the webhooks of these numbers. */
export interface Signer {
  organisation_id: string;
  number_ids: string[];
  secrets: SigningSecret[];
}

/** Source of signing secrets. */
export interface SecretService {
  /** Of at most MOST_ASKED numbers; those that are not of the switch's group are left out. */
  signersOf(numberIds: string[]): Promise<Signer[]>;
}

export const MOST_ASKED = 1_000;
const TIMEOUT_MS = 10_000;

/** The service over HTTP, with the switch's credential. */
export function httpSecretService({ url, credential }: { url: string; credential: string }): SecretService {
  return {
    async signersOf(numberIds) {
      const answer = await fetch(`${url.replace(/\/+$/, "")}/switch/v1/signing-secrets`, {
        method: "POST",
        headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
        body: JSON.stringify({ number_ids: numberIds }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: "error",
      });
      const said = (await answer.json().catch(() => ({}))) as {
        code?: string;
        detail?: string;
        signers?: Signer[];
      };
      if (answer.status === 200 && said.signers) return said.signers;
      throw new ControlPlaneError(answer.status, said.code ?? NO_CODE, said.detail ?? "");
    },
  };
}
