export const identityProvidersText = {
  title: "Single sign-on",
  about: "Members sign in through your identity provider.",
  none: "No identity providers yet",
  noneHint: "Any OpenID Connect provider works, such as Entra ID, Google, Okta or Keycloak.",

  add: "Add provider",
  addHint: "First register this service with the provider to get a client ID and a secret.",
  added: (name: string) => `“${name}” added`,
  addedDetail: "Next, verify its domains. Users can sign in when one is verified.",
  registerRedirectUri: "Redirect URI to register with the provider",
  copyRedirectUri: "Copy redirect URI",
  issuer: "Issuer",
  issuerExample: "https://login.example.com",
  issuerRequired: "Enter the issuer exactly as the provider shows it.",
  clientId: "Client ID",
  clientIdRequired: "Enter the client ID.",
  clientSecret: "Client secret",
  clientSecretHint: "Stored encrypted and never shown again.",
  clientSecretRequired: "Enter the client secret.",
  redirectUri: "Redirect URI",
  domains: "Email domains",
  domainsExample: "example.com",
  domainsHint: "Separate several with commas.",
  domainsRequired: "Enter at least one domain.",

  change: (name: string) => `Change ${name}`,
  changeTitle: (name: string) => `Change “${name}”`,
  changeHint: "To use another issuer or client, add another provider.",
  newClientSecret: "New client secret",
  newClientSecretHint: "Leave empty to keep the current secret.",
  newDomainsHint: "Existing domains stay verified. Verify new domains after saving.",
  saved: (name: string) => `“${name}” saved`,

  remove: (name: string) => `Remove ${name}`,
  removeTitle: (name: string) => `Remove “${name}”?`,
  removeHint:
    "Users can no longer sign in through it. Accounts and sessions stay. Users without a password can set one by email.",
  removed: (name: string) => `“${name}” removed`,
  users: (count: number) =>
    count === 0
      ? "No sign-ins yet"
      : count === 1
        ? "1 user has signed in"
        : `${count.toLocaleString()} users have signed in`,

  verified: (day: string) => `verified ${day}`,
  checked: (day: string) => `, checked ${day}`,
  verify: "Check DNS record",
  domainVerified: (domain: string) => `${domain} verified`,
  domainVerifiedDetail: "Users with this email domain can sign in now.",
  recordMissing: (day: string) =>
    `The TXT record has been missing since ${day}. After three days, users of this domain can no longer sign in. Add it again:`,
  lapsed: (day: string) =>
    `Not verified since ${day}, because the TXT record was missing. Users of this domain cannot sign in. Add it again:`,
  notVerified: "Not verified yet. Add this TXT record to the domain’s DNS:",
  recordValue: "Value",
} as const;
