import { sendToService, type ServiceAddress } from "../service-request.ts";

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

/** The service over HTTP, with the switch's credential. */
export function httpSecretService(where: ServiceAddress): SecretService {
  return {
    async signersOf(numberIds) {
      const body = { number_ids: numberIds };
      const received = await sendToService(where, "POST", "/switch/v1/signing-secrets", body);
      return (received as { signers: Signer[] }).signers;
    },
  };
}
