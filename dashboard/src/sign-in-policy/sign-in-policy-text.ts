export const signInPolicyText = {
  title: "Sign-in policy",
  about: "Sign-in requirements for members of this organisation. API keys are not affected.",
  secondFactor: "Require a second factor",
  secondFactorHint:
    "Members without an authenticator app or a passkey must add one before they can continue.",
  singleSignOn: "Require single sign-on",
  singleSignOnHint:
    "Members must sign in through your identity provider. If it fails, owners can use two factors. The audit log records it, and the other owners get an email.",
  maximumAge: "Maximum session age",
  maximumAgeHint: "Members sign in again after this time.",
  noMaximumAge: "30 days (service limit)",
  ownersOnly: "Owners can change this.",
  save: "Save policy",
  saved: "Sign-in policy saved",
  savedDetail: "The service now rejects sessions that do not meet it.",
  nextStep: "Add or confirm a second factor",
  hours: (hours: number) => (hours === 1 ? "1 hour" : `${hours} hours`),
  days: (days: number) => (days === 1 ? "1 day" : `${days} days`),
} as const;
