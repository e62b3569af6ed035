/** Pages in reading order. Other pages of docs/ appear under "More". */
export const SECTIONS: readonly { title: string; sources: readonly string[] }[] = [
  { title: "Begin", sources: ["docs/README.md", "docs/start.md", "docs/tutorial.md", "docs/concepts.md"] },
  {
    title: "Recipes",
    sources: [
      "docs/recipes/move-to-a-new-trunk.md",
      "docs/recipes/find-what-is-not-routed.md",
      "docs/recipes/bill-from-usage.md",
      "docs/recipes/survive-a-carrier-outage.md",
      "docs/recipes/replace-a-switch.md",
    ],
  },
  {
    title: "Use it",
    sources: [
      "docs/routing.md",
      "docs/orders.md",
      "docs/usage.md",
      "docs/live.md",
      "docs/webhooks.md",
      "docs/test-side.md",
      "docs/dashboard.md",
      "docs/cli.md",
      "docs/sdk.md",
      "docs/sign-in.md",
    ],
  },
  {
    title: "Run it",
    sources: [
      "docs/self-hosting.md",
      "docs/configuration.md",
      "docs/key-rotation.md",
      "docs/switches.md",
      "docs/kamailio.md",
      "docs/carriers.md",
    ],
  },
  {
    title: "Look it up",
    sources: ["docs/access.md", "docs/errors.md", "docs/limits.md", "docs/glossary.md"],
  },
  {
    title: "Why it is so",
    sources: [
      "docs/scaling.md",
      "tools/benchmarks/results.md",
      "docs/security.md",
      "docs/security-inventory.md",
      "docs/security-checklist.md",
      "docs/security-asvs.md",
      "docs/decisions/README.md",
    ],
  },
  {
    title: "The project",
    sources: [
      "README.md",
      "ARCHITECTURE.md",
      "CONTRIBUTING.md",
      "docs/dependencies.md",
      "docs/style.md",
      "docs/roadmap.md",
      "SECURITY.md",
      "CHANGELOG.md",
    ],
  },
];

/** Names for the navigation, where a page's own title says too little next to others. */
export const SHORT_TITLES: Readonly<Record<string, string>> = {
  "docs/README.md": "What it is",
  "docs/recipes/move-to-a-new-trunk.md": "Move to a new trunk",
  "docs/recipes/replace-a-switch.md": "Replace a switch",
  "README.md": "Readme",
  "tools/benchmarks/results.md": "What a request costs",
  "docs/access.md": "Who may call what",
  "SECURITY.md": "Reporting a weakness",
};

/** Pages from outside docs/ and those whose file name is only a habit; all others keep their name. */
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

/** Under its list, and not each in the navigation. */
export const UNLISTED = /^docs\/decisions\/\d{4}-/;
