/** Pages in reading order. Other pages of docs/ appear under "More". */
export const SECTIONS: readonly { title: string; sources: readonly string[] }[] = [
  {
    title: "Get started",
    sources: ["docs/README.md", "docs/quickstart.md", "docs/tutorial.md", "docs/concepts.md"],
  },
  {
    title: "Build",
    sources: [
      "docs/authentication.md",
      "docs/overview.md",
      "docs/numbers.md",
      "docs/routing.md",
      "docs/routing-webhooks.md",
      "docs/orders.md",
      "docs/requirements.md",
      "docs/releases.md",
      "docs/usage.md",
      "docs/calls.md",
      "docs/probes.md",
      "docs/investigate.md",
      "docs/live.md",
      "docs/webhooks.md",
      "docs/notifications.md",
      "docs/audit.md",
      "docs/idempotency-and-retries.md",
      "docs/test-environment.md",
      "docs/sdk.md",
      "docs/cli.md",
      "docs/dashboard.md",
      "docs/sign-in.md",
      "docs/recipes/move-to-a-new-trunk.md",
      "docs/recipes/find-what-is-not-routed.md",
      "docs/recipes/bill-from-usage.md",
    ],
  },
  {
    title: "Operate",
    sources: [
      "docs/self-hosting.md",
      "docs/high-availability.md",
      "docs/switches.md",
      "docs/kamailio.md",
      "docs/trunks.md",
      "docs/forwarding-limits.md",
      "docs/carriers.md",
      "docs/monitoring.md",
      "docs/troubleshooting.md",
      "docs/backup-and-upgrade.md",
      "docs/pooler.md",
      "docs/key-rotation.md",
      "docs/recipes/replace-a-switch.md",
      "docs/recipes/survive-a-carrier-outage.md",
    ],
  },
  {
    title: "Reference",
    sources: [
      "docs/errors.md",
      "docs/events.md",
      "docs/access.md",
      "docs/limits.md",
      "docs/configuration.md",
      "docs/retention.md",
      "docs/agent-protocol.md",
      "docs/carrier-protocol.md",
      "docs/kamailio-internals.md",
      "docs/glossary.md",
    ],
  },
  {
    title: "About",
    sources: [
      "README.md",
      "docs/roadmap.md",
      "docs/performance.md",
      "tools/benchmarks/results.md",
      "docs/security.md",
      "docs/security-inventory.md",
      "docs/security-checklist.md",
      "docs/security-asvs.md",
      "SECURITY.md",
      "ARCHITECTURE.md",
      "CONTRIBUTING.md",
      "docs/style.md",
      "docs/decisions/README.md",
      "docs/dependencies.md",
      "CHANGELOG.md",
    ],
  },
];

/** Short names for the navigation. Other pages use their title. */
export const SHORT_TITLES: Readonly<Record<string, string>> = {
  "docs/README.md": "Overview",
  "docs/recipes/move-to-a-new-trunk.md": "Move to a new trunk",
  "docs/recipes/replace-a-switch.md": "Replace a switch",
  "README.md": "Readme",
  "tools/benchmarks/results.md": "Benchmark runs",
  "docs/access.md": "Access",
  "SECURITY.md": "Report a vulnerability",
};

/** Addresses of pages outside docs/ and of README files. Other pages keep their file name. */
export const ADDRESSES: Readonly<Record<string, string>> = {
  "docs/README.md": "index",
  "docs/decisions/README.md": "decisions/list",
  "README.md": "readme",
  "ARCHITECTURE.md": "architecture",
  "CONTRIBUTING.md": "contributing",
  "SECURITY.md": "reporting",
  "CHANGELOG.md": "changelog",
  "tools/benchmarks/results.md": "measurements",
};

/** Listed on an overview page only, not in the navigation. */
export const UNLISTED = /^docs\/decisions\/\d{4}-/;
