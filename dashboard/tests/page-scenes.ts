import type { Visit } from "./visit.ts";

/** IDs of the resources that exist when the scenes begin. */
export interface Stage {
  organisation: string;
  /** Another one, for what would fill the empty pages of the first. */
  busy: string;
  number: string;
  bulkChange: string;
  job: string;
  endpoint: string;
  call: string;
  misroutedCall: string;
  /** Has exceptions. */
  switch: string;
  /** Requires a second factor, which the person who looks does not have. */
  strict: string;
  /** Requires single sign-on, which the person did not use. */
  federated: string;
}

export interface Scene {
  path: (stage: Stage) => string;
  /** Seen when the page is there. */
  shows: string;
  isSignedIn?: boolean;
  /** Opens a dialog or menu first. */
  opens?: (visitor: Visit) => Promise<void>;
  isMenu?: boolean;
}

/** Pages of an organisation, without its numbers. */
export const PAGE_SCENES: Record<string, Scene> = {
  "single sign-on": {
    path: ({ organisation }) => `/o/${organisation}/live/identity-providers`,
    shows: "Not verified yet",
    isSignedIn: true,
  },
  "sign-in policy": {
    path: ({ organisation }) => `/o/${organisation}/live/sign-in-policy`,
    shows: "Maximum session age",
    isSignedIn: true,
  },
  "second factor required": {
    path: ({ strict }) => `/o/${strict}/live/numbers`,
    shows: "requires a second factor",
    isSignedIn: true,
  },
  "single sign-on required": {
    path: ({ federated }) => `/o/${federated}/live/numbers`,
    shows: "requires single sign-on",
    isSignedIn: true,
  },
  "a new provider": {
    path: ({ organisation }) => `/o/${organisation}/live/identity-providers`,
    shows: "Not verified yet",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Add provider" }).click();
      await page.getByLabel("Issuer").waitFor();
    },
  },
  "change a provider": {
    path: ({ organisation }) => `/o/${organisation}/live/identity-providers`,
    shows: "Not verified yet",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Change Northwind Entra" }).click();
      await page.getByLabel("New client secret").waitFor();
    },
  },
  "order by criteria": {
    path: ({ organisation }) => `/o/${organisation}/live/order`,
    shows: "No inventory is connected",
    isSignedIn: true,
  },
  "order by list": {
    path: ({ organisation }) => `/o/${organisation}/live/order?by=list`,
    shows: "No inventory is connected",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByLabel("Set routing now").check();
      await page.getByRole("button", { name: "Place order" }).click();
      await page.getByText("Enter at least one number.").waitFor();
    },
  },
  "order from the inventory": {
    path: ({ organisation }) => `/o/${organisation}/live/order?by=inventory`,
    shows: "Order by criteria or by list",
    isSignedIn: true,
  },
  "addresses and documents": {
    path: ({ organisation }) => `/o/${organisation}/live/evidence`,
    shows: "No documents yet",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Add address" }).click();
      await page.getByLabel("Street and house number").waitFor();
    },
  },
  jobs: { path: ({ busy }) => `/o/${busy}/test/jobs`, shows: "Order of 1 number", isSignedIn: true },
  "no jobs": {
    path: ({ organisation }) => `/o/${organisation}/live/jobs`,
    shows: "No jobs yet",
    isSignedIn: true,
  },
  "bulk changes": {
    path: ({ organisation }) => `/o/${organisation}/live/jobs?show=bulk`,
    shows: "Add tags “berlin”",
    isSignedIn: true,
  },
  job: {
    path: ({ busy, job }) => `/o/${busy}/test/jobs/${job}`,
    shows: "Not ordered yet",
    isSignedIn: true,
  },
  calls: {
    path: ({ organisation }) => `/o/${organisation}/live/calls`,
    shows: "Calls today (UTC)",
    isSignedIn: true,
    opens: ({ page }) => page.getByText("Front desk").first().waitFor(),
  },
  "no matching calls": {
    path: ({ organisation }) => `/o/${organisation}/live/calls?q=030+1234&result=busy&time=week`,
    shows: "No calls match",
    isSignedIn: true,
  },
  "calls in progress": {
    path: ({ organisation }) => `/o/${organisation}/live/calls/active`,
    shows: "active calls on",
    isSignedIn: true,
  },
  "a call that failed over": {
    path: ({ organisation, call }) => `/o/${organisation}/live/calls/${call}`,
    shows: "Answered on step 2",
    isSignedIn: true,
  },
  "a misrouted call": {
    path: ({ organisation, misroutedCall }) => `/o/${organisation}/live/calls/${misroutedCall}`,
    shows: "The call reached another target",
    isSignedIn: true,
    opens: ({ page }) => page.getByText("sip:desk@pbx.example.com").first().waitFor(),
  },
  usage: {
    path: ({ organisation }) => `/o/${organisation}/live/usage`,
    shows: "Calls by hour",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("table", { name: /by weekday and hour/ }).waitFor();
      await page.locator("svg[data-chart=usage]").waitFor();
    },
  },
  connections: {
    path: ({ organisation }) => `/o/${organisation}/live/connections`,
    shows: "Main exchange",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByText("host name does not resolve").waitFor();
    },
  },
  "a new connection": {
    path: ({ organisation }) => `/o/${organisation}/live/connections`,
    shows: "Main exchange",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Add connection" }).click();
      await page.getByRole("button", { name: "Add target" }).click();
      await page.getByLabel("Host 2").waitFor();
    },
  },
  events: {
    path: ({ organisation }) => `/o/${organisation}/live/events`,
    shows: "number.changed",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByText("number.changed").first().click();
      await page.getByRole("button", { name: "Copy event ID" }).first().waitFor();
    },
  },
  webhooks: {
    path: ({ organisation }) => `/o/${organisation}/live/webhooks`,
    shows: "https://192.0.2.7/hooks",
    isSignedIn: true,
  },
  "a new endpoint": {
    path: ({ organisation }) => `/o/${organisation}/live/webhooks`,
    shows: "https://192.0.2.7/hooks",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Add endpoint" }).click();
      await page.getByLabel("URL").waitFor();
    },
  },
  endpoint: {
    path: ({ endpoint, organisation }) => `/o/${organisation}/live/webhooks/${endpoint}`,
    shows: "Deliveries",
    isSignedIn: true,
    opens: ({ page }) => page.getByText("No deliveries yet").waitFor(),
  },
  "api keys": {
    path: ({ organisation }) => `/o/${organisation}/live/api-keys`,
    shows: "never used",
    isSignedIn: true,
  },
  "a new key": {
    path: ({ organisation }) => `/o/${organisation}/live/api-keys`,
    shows: "never used",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Create API key" }).click();
      await page.getByLabel("Allowed networks").waitFor();
    },
  },
  rotation: {
    path: ({ organisation }) => `/o/${organisation}/live/api-keys`,
    shows: "never used",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: /^Rotate/ }).click();
      await page.getByLabel("Keep old key for").waitFor();
    },
  },
  members: {
    path: ({ organisation }) => `/o/${organisation}/live/members`,
    shows: "(you)",
    isSignedIn: true,
  },
  invite: {
    path: ({ organisation }) => `/o/${organisation}/live/members`,
    shows: "(you)",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Invite member" }).click();
      await page.getByLabel("Email address").waitFor();
    },
  },
  "remove a member": {
    path: ({ organisation }) => `/o/${organisation}/live/members`,
    shows: "(you)",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: /^Remove/ }).click();
      await page.getByText("can no longer see").waitFor();
    },
  },
  audit: {
    path: ({ organisation }) => `/o/${organisation}/live/audit`,
    shows: "changed number",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByText("changed number").first().click();
      await page.getByRole("button", { name: "Close details" }).waitFor();
    },
  },
  overview: {
    path: ({ organisation }) => `/o/${organisation}/live/overview`,
    shows: "Recent changes",
    isSignedIn: true,
    opens: ({ page }) => page.getByText("Switches and connections").waitFor(),
  },
  "overview without numbers": {
    path: ({ busy }) => `/o/${busy}/live/overview`,
    shows: "No numbers yet",
    isSignedIn: true,
  },
  settings: {
    path: ({ organisation }) => `/o/${organisation}/live/settings`,
    shows: "Default country",
    isSignedIn: true,
  },
};
