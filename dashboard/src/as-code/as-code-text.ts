export const asCodeText = {
  showCode: "Show code",
  showCodeOf: (what: string) => `Show code: ${what}`,
  title: "Code samples",
  operation: "Operation",
  keyHint: "Set this variable to an API key of this environment:",
  sessionHint:
    "Not available to API keys. Set this variable to the session token of a signed-in tool (svc_cli_…):",
  browserHint: "Only available in the dashboard, after a recent sign-in.",
  keyVariable: "$DIALPLANE_API_KEY",
  sessionVariable: "$DIALPLANE_TOKEN",
  reference: "See /docs for the API reference of this operation:",
  curl: "curl",
  sdk: "SDK",
  cli: "CLI",
  noCommand: "There is no dedicated command. This one sends any API request.",
  copy: (title: string) => `Copy ${title}`,
  asText: (title: string) => `${title}, as text`,
} as const;
