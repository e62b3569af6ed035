import type { Declaration } from "./contract.errors.ts";

/** Chapters of the reference, in this order. */
const TAGS: Record<string, string> = {
  Caller: "The caller and its organisations.",
  Organisation: "Settings of an organisation.",
  Overview: "State of an organisation at a glance: numbers, problems, switches and calls.",
  Numbers: "Numbers of an organisation: list, label, tag and export them.",
  Live: "Active calls of numbers.",
  Routing: "Desired and applied routing of numbers, and its history.",
  Probes: "Calls that no phone receives, and that prove where a number leads.",
  Usage: "Call counts, talk time and call records.",
  Connections: "Named SIP trunks that numbers can share.",
  "Bulk changes": "The same change to many numbers: plan, review, apply.",
  Inventory: "Numbers that are available to order.",
  Reservations: "Numbers reserved while you decide.",
  Orders: "Orders of numbers and their status.",
  Requirements: "Evidence that carriers require for an order: addresses, documents and end-user data.",
  Releases: "Release of numbers, and restore from quarantine.",
  Jobs: "Background work of orders, releases and restores.",
  "API keys": "Credentials for programs. A key is shown once and can be rotated without downtime.",
  Members: "Members of an organisation, their roles and invitations.",
  "Single sign-on": "Identity providers of an organisation, their domains, and the sign-in policy.",
  Webhooks: "Signed events sent to your server, with retries and a delivery log.",
  Views: "Saved filters of the dashboard's pages, for you or for all members.",
  Notifications: "Rules that send mail or events when a problem begins and when it ends.",
  Events: "Ordered log of events in the organisation, read from a cursor.",
  Audit: "Log of actions and denied requests, with actor and address.",
  Sessions: "Sign-in, sign-out and active sessions.",
  Tools: "Sessions for command-line tools, with and without a browser.",
  Account: "Your password, email address and other sign-in methods.",
  Organisations: "Organisations of the installation.",
  Users: "Users of the installation, and how to contain a compromised account.",
  "Held numbers": "Live numbers that organisations hold, and their suspension.",
  Pool: "The operator's own numbers: counts, list and import.",
  Carriers: "Sources of ordered numbers: their credentials, countries, preference and state.",
  Reconciliation: "Comparison of this installation's numbers with each carrier's.",
  Switches: "Switches that route calls, their groups and their lag.",
  Trunks: "Carriers' lines to the switches of a group: sources, gateways and forwarding.",
  Epochs: "Histories of the database: rollbacks, and how switches handle them.",
  Restores:
    "Restore of the database from a backup: what switches and carriers know beyond it, and decisions about each difference.",
  "Saved states": "State of switches at the end of an epoch: evidence of the changes that a rollback lost.",
  "Switch feed": "Desired state for the switches of a group, and reports of the applied state.",
  Calls: "Calls of all organisations, and the call records and active calls of a switch.",
};

export function tagsOf(operations: readonly Declaration[]): { name: string; description: string }[] {
  const used = new Set(operations.map(({ tag }) => tag));
  const undescribed = [...used].filter((tag) => !(tag in TAGS));
  if (undescribed.length > 0)
    throw new Error(`contract.tags.ts does not describe the tag ${undescribed.join(", ")}.`);
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
