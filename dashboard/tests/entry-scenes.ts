import type { Scene } from "./page-scenes.ts";

/** Before one is in an organisation, and next to them all. */
export const ENTRY_SCENES: Record<string, Scene> = {
  "sign-in": { path: () => "/sign-in", shows: "No account?" },
  "sign-in with a company": {
    path: () => "/sign-in",
    shows: "No account?",
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Sign in with your company" }).click();
      await page.getByLabel("E-mail address at work").waitFor();
    },
  },
  "back from a company": {
    path: () => "/sign-in/provider?error=access_denied",
    shows: "did not say who you are",
  },
  "reset password": { path: () => "/reset-password", shows: "We mail you a link" },
  "new password": { path: () => "/reset-password#token", shows: "Set a new password" },
  invitation: { path: () => "/invitation#token", shows: "Make an account" },
  "empty invitation": { path: () => "/invitation", shows: "has no invitation" },
  "e-mail change": { path: () => "/change-email#token", shows: "Confirm your new address" },
  device: { path: () => "/device", shows: "Type the code", isSignedIn: true },
  "a tool's wish": {
    path: () => "/authorise?client_name=numbers&redirect_uri=http://127.0.0.1:1/&code_challenge=x&state=y",
    shows: "Keep it out",
    isSignedIn: true,
  },
  "second factor": {
    path: () => "/second-factor",
    shows: "Set up an authenticator app",
    isSignedIn: true,
  },
  security: { path: () => "/account/security", shows: "This one", isSignedIn: true },
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
      await page.getByLabel("Suspend its numbers too").waitFor();
    },
  },
  "operator: users": { path: () => "/operator/users", shows: "Enabled", isSignedIn: true },
  "operator: switches": {
    path: () => "/operator/switches",
    shows: "edge-1",
    isSignedIn: true,
  },
  "operator: a new switch": {
    path: () => "/operator/switches",
    shows: "edge-1",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Add a switch" }).click();
      await page.getByLabel("Group").waitFor();
    },
  },
  "operator: carriers": {
    path: () => "/operator/carriers",
    shows: "The same",
    isSignedIn: true,
  },
  "operator: pool": {
    path: () => "/operator/pool",
    shows: "can be ordered",
    isSignedIn: true,
    opens: async ({ page }) => {
      const buffer = Buffer.from("number,to\n+4930903000,+4930903009\nhello,\n");
      await page.getByLabel("A CSV file").setInputFiles({ name: "pool.csv", mimeType: "text/csv", buffer });
      await page.getByRole("button", { name: "Show what would happen" }).click();
      await page.getByText("10 numbers would be added").waitFor();
    },
  },
  nowhere: { path: () => "/nowhere", shows: "There is nothing at this address" },
};
