import type { Letter } from "../../events/mails/mails.ts";

/** Security notifications: the event and its consequence. */
const SECURITY_NEWS = {
  authenticator_added: [
    "An authenticator app was added to your account",
    "Signing in now requires its codes.",
  ],
  authenticator_removed: [
    "The authenticator app was removed from your account",
    "Signing in no longer requires a code.",
  ],
  recovery_codes_renewed: [
    "New recovery codes were generated for your account",
    "Earlier codes no longer work.",
  ],
  recovery_code_used: [
    "A recovery code was used to sign in",
    "It cannot be used again. Generate new codes before you run out.",
  ],
  passkey_added: ["A passkey was added to your account", "It can now be used to sign in."],
  passkey_removed: ["A passkey was removed from your account", "It can no longer be used to sign in."],
  identity_linked: [
    "Single sign-on was linked to your account",
    "You can now sign in through your organisation's identity provider.",
  ],
  browser_signed_in: [
    "A new browser signed in to your account",
    "It stays signed in until you end its session in the security settings.",
  ],
  tool_signed_in: [
    "A tool was authorised to use your account",
    "It can act for you until you end its session in the security settings.",
  ],
} as const;

/** To the other owners of an organisation that requires single sign-on. */
export function breakGlassLetter(organisation: string, baseUrl: string): Letter {
  return {
    subject: `An owner of ${organisation} signed in without single sign-on`,
    text: `${organisation} requires single sign-on. An owner signed in with a second factor instead. Owners can do so if the identity provider fails.\n\nThe audit log shows which owner:\n${baseUrl}/\n\nIf you did not expect this, contact the owner. An operator can disable the account.`,
  };
}

/** To the owners, when the TXT record of a verified domain is missing, and when the proof has lapsed because of it. */
export function domainLetter(
  kind: "domain_proof_missing" | "domain_proof_lapsed",
  domains: readonly string[],
  baseUrl: string,
): Letter {
  const names = domains.join(", ");
  return kind === "domain_proof_missing"
    ? {
        subject: `The TXT record of ${names} is missing`,
        text: `The TXT record that shows that ${names} belongs to your organisation was not found. If it is missing for three days, users with these addresses can no longer sign in through your identity provider.\n\nAdd the record again. Its name and value are shown under Single sign-on:\n${baseUrl}/`,
      }
    : {
        subject: `${names} is no longer verified`,
        text: `The TXT record of ${names} has been missing for three days. Users with these addresses can no longer sign in through your identity provider. Open sessions continue.\n\nAdd the record and verify the domain again under Single sign-on:\n${baseUrl}/`,
      };
}

/** Ends with instructions in case of an attack. */
export function securityLetter(kind: keyof typeof SECURITY_NEWS, baseUrl: string): Letter {
  const [subject, consequence] = SECURITY_NEWS[kind];
  return {
    subject,
    text: `${subject}. ${consequence}\n\nIf this was not you, reset your password at once:\n${baseUrl}/reset-password`,
  };
}
