import type { Scene } from "./page-scenes.ts";

export const NUMBER_SCENES: Record<string, Scene> = {
  "as code": {
    path: ({ organisation }) => `/o/${organisation}/live/numbers`,
    shows: "Calls, 24 h",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Show code" }).click();
      await page.getByRole("region", { name: "CLI" }).waitFor();
    },
  },
  numbers: {
    path: ({ organisation }) => `/o/${organisation}/live/numbers`,
    shows: "Calls, 24 h",
    isSignedIn: true,
  },
  number: {
    path: ({ number, organisation }) => `/o/${organisation}/live/numbers/${number}`,
    shows: "Timeline",
    isSignedIn: true,
  },
  "no such number": {
    path: ({ organisation }) => `/o/${organisation}/live/numbers/${organisation}`,
    shows: "Number not found",
    isSignedIn: true,
  },
  "change of routing": {
    path: ({ number, organisation }) => `/o/${organisation}/live/numbers/${number}`,
    shows: "Timeline",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Change routing" }).click();
      await page.getByRole("dialog").getByText("Forward", { exact: true }).click();
      await page.getByLabel("Phone number").fill("+49305550100");
    },
  },
  "a probe": {
    path: ({ number, organisation }) => `/o/${organisation}/live/numbers/${number}`,
    shows: "Timeline",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Probe", exact: true }).click();
      await page.getByRole("button", { name: "Place probe" }).click();
      await page.getByText("has not enabled probes").waitFor();
    },
  },
  "usage as a table": {
    path: ({ number, organisation }) => `/o/${organisation}/live/numbers/${number}`,
    shows: "Timeline",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByText("Table", { exact: true }).click();
      await page.getByRole("table", { name: "Calls, 24 h" }).waitFor();
    },
  },
  "edit a number": {
    path: ({ number, organisation }) => `/o/${organisation}/live/numbers/${number}`,
    shows: "Timeline",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Edit" }).click();
      await page.getByLabel("Locked against release").waitFor();
    },
  },
  release: {
    path: ({ number, organisation }) => `/o/${organisation}/live/numbers/${number}`,
    shows: "Timeline",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Release…" }).click();
      await page.getByText("stop immediately").waitFor();
    },
  },
  "numbers selected": {
    path: ({ organisation }) => `/o/${organisation}/live/numbers`,
    shows: "Calls, 24 h",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("checkbox", { name: "Select all shown numbers" }).check();
      await page.getByRole("button", { name: "Lock…", exact: true }).waitFor();
    },
  },
  "plan for many": {
    path: ({ organisation }) => `/o/${organisation}/live/numbers`,
    shows: "Calls, 24 h",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("checkbox", { name: "Select all shown numbers" }).check();
      await page.getByRole("button", { name: "Set routing…" }).click();
      await page.getByRole("dialog").getByText("Create plan").waitFor();
    },
  },
  import: {
    path: ({ organisation }) => `/o/${organisation}/live/import`,
    shows: "Or paste a table",
    isSignedIn: true,
  },
  "import, line by line": {
    path: ({ organisation }) => `/o/${organisation}/live/import`,
    shows: "Or paste a table",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByLabel("Or paste a table").fill("number,label\n+1999,None\n");
      await page.getByRole("button", { name: "Preview changes" }).click();
      await page.getByText("Invalid", { exact: true }).waitFor();
    },
  },
  "bulk change": {
    path: ({ bulkChange, organisation }) => `/o/${organisation}/live/bulk-changes/${bulkChange}`,
    shows: "Results by number",
    isSignedIn: true,
    opens: ({ page }) => page.getByText("Planned", { exact: true }).last().waitFor(),
  },
  "save a view": {
    path: ({ organisation }) => `/o/${organisation}/live/numbers?sort=e164`,
    shows: "Calls, 24 h",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: "Save view" }).click();
      await page.getByLabel("Share with the organisation").waitFor();
    },
  },
  "no match": {
    path: ({ organisation }) => `/o/${organisation}/live/numbers?tag=none`,
    shows: "No matching numbers",
    isSignedIn: true,
  },
  "no numbers": {
    path: ({ busy }) => `/o/${busy}/live/numbers`,
    shows: "No live numbers yet",
    isSignedIn: true,
  },
  "test environment": {
    path: ({ organisation }) => `/o/${organisation}/test/numbers`,
    shows: "+12025550100",
    isSignedIn: true,
    opens: ({ page }) => page.getByText("Test environment:").waitFor(),
  },
  palette: {
    path: ({ organisation }) => `/o/${organisation}/live/numbers`,
    shows: "Calls, 24 h",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.keyboard.press("Control+k");
      await page.getByPlaceholder(/Search pages/).waitFor();
    },
  },
  "account menu": {
    isMenu: true,
    path: ({ organisation }) => `/o/${organisation}/live/numbers`,
    shows: "Calls, 24 h",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.getByRole("button", { name: /Your account/ }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
    },
  },
  shortcuts: {
    path: ({ organisation }) => `/o/${organisation}/live/numbers`,
    shows: "Calls, 24 h",
    isSignedIn: true,
    opens: async ({ page }) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    },
  },
};
