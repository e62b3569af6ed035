export const settingsText = {
  title: "Settings",
  defaultCountry: "Default country",
  defaultCountryHint: "Searches read numbers without a country code as numbers of this country.",
  noCountry: "None",
  saved: "Default country saved",
  signIn: "Sign-in",
  singleSignOn: "Single sign-on",
  singleSignOnHint: "Let members sign in with your identity provider.",
  signInPolicy: "Sign-in policy",
  signInPolicyHint: "Require a second factor or single sign-on, and limit the age of sessions.",
  open: "Open",
} as const;
