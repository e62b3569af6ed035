import type { Scene } from "./page-scenes.ts";

/** Before one is in an organisation, and next to them all. */
export const ENTRY_SCENES: Record<string, Scene> = {
  "sign-in": { path: () => "/sign-in", shows: "No account?" },
  "sign-in with single sign-on": {
    path: () => "/sign-in",
    shows: "No account?",
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Single sign-on" }).click();
      await page.getByLabel("Work email address").waitFor();
    },
  },
  "back from an identity provider": {
    path: () => "/sign-in/provider?error=access_denied",
    shows: "returned no identity",
  },
  "reset password": { path: () => "/reset-password", shows: "You get an email with a link" },
  "new password": { path: () => "/reset-password#token", shows: "Set a new password" },
  invitation: { path: () => "/invitation#token", shows: "Create an account" },
  "empty invitation": { path: () => "/invitation", shows: "No invitation in this link" },
  "email change": { path: () => "/change-email#token", shows: "Confirm your new email address" },
  device: { path: () => "/device", shows: "Enter the code", isSignedIn: true },
  "authorise a tool": {
    path: () => "/authorise?client_name=numbers&redirect_uri=http://127.0.0.1:1/&code_challenge=x&state=y",
    shows: "Deny",
    isSignedIn: true,
  },
  "second factor": {
    path: () => "/second-factor",
    shows: "Set up authenticator app",
    isSignedIn: true,
  },
  security: { path: () => "/account/security", shows: "This session", isSignedIn: true },
  "operator: organisations": {
    path: () => "/operator/organisations",
    shows: "Southwind",
    isSignedIn: true,
  },
  "operator: suspend an organisation": {
    path: () => "/operator/organisations",
    shows: "Southwind",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Suspend Southwind" }).click();
      await page.getByLabel("Also suspend its numbers").waitFor();
    },
  },
  "operator: an organisation": {
    path: ({ organisation }) => `/operator/organisations/${organisation}`,
    shows: "90 % used",
    isSignedIn: true,
  },
  "operator: an organisation without limits": {
    path: ({ busy }) => `/operator/organisations/${busy}`,
    shows: "No limits set",
    isSignedIn: true,
  },
  "operator: change forwarding limits": {
    path: ({ organisation }) => `/operator/organisations/${organisation}`,
    shows: "90 % used",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Change limits" }).click();
      await page.getByLabel("Concurrent calls", { exact: true }).fill("many");
      await page.getByLabel("No limit: Minutes per day").uncheck();
      await page.getByText("Fixed number").click();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Enter a number with country code").waitFor();
    },
  },
  "operator: users": { path: () => "/operator/users", shows: "Enabled", isSignedIn: true },
  "operator: switches": {
    path: () => "/operator/switches",
    shows: "edge-1",
    isSignedIn: true,
  },
  "operator: a switch": {
    path: ({ switch: id }) => `/operator/switches/${id}`,
    shows: "Exceptions",
    isSignedIn: true,
    opens: ({ page }) => page.getByText("Drifted").first().waitFor(),
  },
  "operator: home": {
    path: () => "/operator",
    shows: "Problems",
    isSignedIn: true,
    opens: ({ page }) => page.getByText("edge-2").first().waitFor(),
  },
  "operator: palette": {
    path: () => "/operator",
    shows: "Problems",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByText("edge-2").first().waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("option", { name: "Audit log" }).waitFor();
    },
  },
  "operator: calls": {
    path: () => "/operator/calls",
    shows: "Calls of all organisations",
    isSignedIn: true,
    opens: ({ page }) => page.getByRole("cell", { name: "Northwind" }).first().waitFor(),
  },
  "operator: a call": {
    path: ({ misroutedCall }) => `/operator/calls/${misroutedCall}`,
    shows: "SIP ladder",
    isSignedIn: true,
  },
  "operator: audit": {
    path: () => "/operator/audit",
    shows: "Actions on the installation",
    isSignedIn: true,
    opens: ({ page }) => page.getByText("created switch").first().waitFor(),
  },
  "operator: a new switch": {
    path: () => "/operator/switches",
    shows: "edge-1",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Add switch" }).click();
      await page.getByLabel("Group").waitFor();
    },
  },
  "operator: carriers": {
    path: () => "/operator/carriers",
    shows: "No mismatches",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Connect a carrier" }).click();
      await page.getByLabel("API key").waitFor();
    },
  },
  "operator: trunks": {
    path: () => "/operator/trunks",
    shows: "use the trunks in their files",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Add trunk" }).click();
      await page.getByLabel("Direction").selectOption("both");
      await page.getByLabel("User name").waitFor();
    },
  },
  "operator: pool": {
    path: () => "/operator/pool",
    shows: " available",
    isSignedIn: true,
    opens: async ({ page }) => {
      const buffer = Buffer.from("number,to\n+4930903000,+4930903009\nhello,\n");
      await page.getByLabel("CSV file").setInputFiles({ name: "pool.csv", mimeType: "text/csv", buffer });
      await page.getByRole("button", { name: "Preview import" }).click();
      await page.getByText("10 numbers to add").waitFor();
    },
  },
  nowhere: { path: () => "/nowhere", shows: "Page not found" },
};
