export interface Letter {
  subject: string;
  text: string;
}

/** What is told about the ways to sign in: what happened, and what follows from it. */
const SECURITY_NEWS = {
  authenticator_added: [
    "An authenticator app was added to your account",
    "Signing in now asks for its codes.",
  ],
  authenticator_removed: [
    "The authenticator app was removed from your account",
    "Signing in no longer asks for a code.",
  ],
  recovery_codes_renewed: [
    "New recovery codes were made for your account",
    "The ones before no longer work.",
  ],
  recovery_code_used: [
    "A recovery code was used to sign in",
    "It cannot be used again. Make new ones before you run out of them.",
  ],
  passkey_added: ["A passkey was added to your account", "It can be used to sign in from now on."],
  passkey_removed: ["A passkey was removed from your account", "It can no longer be used to sign in."],
  identity_linked: [
    "Your organisation's sign-in now opens your account",
    "From now on whoever its identity provider says is you gets in.",
  ],
  browser_signed_in: [
    "A new browser signed in to your account",
    "It stays signed in until you end its session in the security settings.",
  ],
  tool_signed_in: [
    "A tool was let in with your account",
    "It can act for you until you end its session in the security settings.",
  ],
} as const;

/** Ends with what to do if it was somebody else. */
export function securityLetter(kind: keyof typeof SECURITY_NEWS, baseUrl: string): Letter {
  const [subject, consequence] = SECURITY_NEWS[kind];
  return {
    subject,
    text: `${subject}. ${consequence}\n\nIf this was not you, reset your password at once:\n${baseUrl}/reset-password`,
  };
}
