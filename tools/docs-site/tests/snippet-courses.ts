import type { Course } from "./snippets.ts";

/** Pages whose snippets are run by another test, which is named. */
export const ELSEWHERE: Readonly<Record<string, { language: "js" | "sh" | "ts"; by: string }>> = {
  "README.md": { language: "ts", by: "sdk/src/package.test.ts" },
  "docs/tutorial.md": { language: "ts", by: "sdk/src/package.test.ts" },
  "docs/live.md": { language: "js", by: "tools/docs-site/tests/snippets.test.ts" },
  "docs/routing-webhooks.md": { language: "js", by: "tools/docs-site/tests/js-snippets.test.ts" },
  "docs/webhooks.md": { language: "js", by: "tools/docs-site/tests/js-snippets.test.ts" },
  "docs/sdk.md": { language: "ts", by: "sdk/src/package.test.ts" },
  "docs/self-hosting.md": { language: "sh", by: "tools/packing/src/self-hosting.ts" },
  "docs/backup-and-upgrade.md": { language: "sh", by: "tools/packing/src/self-hosting.ts" },
  "docs/sign-in.md": { language: "ts", by: "sdk/src/package.test.ts" },
};

/** Snippets that are not run, by how they begin, and why not. */
export const NOT_RUN: readonly { page: string; begins: string; because: string }[] = [
  {
    page: "docs/tutorial.md",
    begins: "./bootstrap ",
    because: "CI begins with it; npm-packages.test.ts runs the rest",
  },
  { page: "README.md", begins: "./bootstrap ", because: "CI runs all three commands" },
  { page: "CONTRIBUTING.md", begins: "./bootstrap ", because: "the same; and npm run dev never ends" },
  {
    page: "docs/carrier-protocol.md",
    begins: `printf '{"secret"`,
    because: "takes a signed-in operator; connected-carriers.http.test.ts connects a server",
  },
  {
    page: "docs/carriers.md",
    begins: "dialplane operator carriers trunks telnyx-us",
    because: "takes an account at Telnyx",
  },
  {
    page: "docs/carriers.md",
    begins: `echo '{"api_key": "…"}' > didww.json`,
    because: "takes an account at DIDWW; connected-carriers.didww.test.ts connects one",
  },
  {
    page: "docs/carriers.md",
    begins: `echo '{"secret"`,
    because: "takes a carrier; docs/carrier-protocol.md has one",
  },
  {
    page: "docs/carriers.md",
    begins: "npm run operator -- repair-finding",
    because: "takes a carrier that disagrees; operator-carriers.test.ts has one",
  },
  {
    page: "docs/carriers.md",
    begins: "npm run operator -- adopt-finding",
    because: "takes a carrier that disagrees; reconciliations.restored.test.ts adopts over HTTP",
  },
  {
    page: "docs/cli.md",
    begins: "dialplane demo",
    because: "starts what these snippets are run against; npm-packages.test.ts runs it",
  },
  {
    page: "docs/cli.md",
    begins: "dialplane orgs use",
    because: "takes a sign-in through a browser; cli.test.ts has one",
  },
  {
    page: "docs/key-rotation.md",
    begins: "   dialplane-server reseal",
    because: "takes an installation with passwords; root-keys.processes.test.ts has one",
  },
  {
    page: "docs/key-rotation.md",
    begins: "   dialplane-server roots rotate",
    because: "takes an installation with passwords; root-keys.processes.test.ts has one",
  },
  {
    page: "docs/key-rotation.md",
    begins: "   dialplane-server roots retire",
    because: "takes an installation with passwords; root-keys.processes.test.ts has one",
  },
  {
    page: "docs/requirements.md",
    begins: "curl -X POST",
    because: "takes an order that waits; orders.requirements.test.ts has many",
  },
  {
    page: "docs/requirements.md",
    begins: "dialplane orders requirements",
    because: "takes an order that waits; order-requirements.test.ts has one",
  },
  {
    page: "docs/recipes/replace-a-switch.md",
    begins: "sqlite3 ",
    because: "reads the disk of a switch's machine; records-kill.test.ts has one",
  },
];

/** Typed into one shell on the demo, and compared with what is shown, but for blocks that another test has. */
export const SESSION = {
  page: "docs/tutorial.md",
  // npm-packages.test.ts has the first, package.test.ts the second.
  without: ["npm install", "export API OWNER"],
  course: {
    instead: [
      ["npx dialplane demo --directory ./session --json > demo.json &", "true"],
      ["npx dialplane", "dialplane"],
    ],
  } satisfies Course,
};

/** Run against the demo, in this order: the last one replaces its switch. */
export const ON_THE_DEMO: ReadonlyMap<string, Course> = new Map<string, Course>([
  [
    "docs/quickstart.md",
    {
      instead: [
        ["./bootstrap --no-switch", "true"],
        ["npm run -s demo -- --json > demo.json &", "true"],
      ],
    },
  ],
  [
    "README.md",
    { before: "export DIALPLANE_URL=$API DIALPLANE_API_KEY=$KEY", instead: [["npx dialplane", "dialplane"]] },
  ],
  ["docs/usage.md", { before: "API_KEY=$KEY BASE_URL=$API NUMBER_ID=$NUMBER" }],
  ["docs/calls.md", { before: "API_KEY=$KEY BASE_URL=$API" }],
  ["docs/investigate.md", { before: "export DIALPLANE_URL=$API DIALPLANE_API_KEY=$KEY" }],
  [
    "docs/numbers.md",
    {
      before: "API_KEY=$KEY BASE_URL=$API",
      // The organisation's settings take a person.
      instead: [["dialplane orgs", "DIALPLANE_API_KEY=$OWNER dialplane orgs"]],
    },
  ],
  ["docs/routing.md", { before: "export DIALPLANE_URL=$API DIALPLANE_API_KEY=$OWNER" }],
  ["docs/webhooks.md", { before: "SESSION=$OWNER" }],
  [
    "docs/test-environment.md",
    {
      before: `BASE=$API KEY=$TEST_KEY
ID=$(curl -s "$API/v1/numbers?q=2025550105" -H "Authorization: Bearer $TEST_KEY" | jq -r '.data[0].id')`,
    },
  ],
  [
    "docs/cli.md",
    {
      before: `JOB=$(dialplane order -e test --number +12125550160 --yes --json | jq -r .job_id)
as_operator() { DIALPLANE_API_KEY=$OPERATOR dialplane "$@"; }
as_operator operator switches create edge-1
echo '{"api_key": "KEY0123456789ABCDEF"}' > telnyx.json
printf 'number,to\\n030 901840,030 901849\\n' > stock.csv
awk '/^\`\`\`/ { if (isCode) exit; isCode = /json/; next } isCode' docs/kamailio.md > switch.json`,
      instead: [
        ["dialplane operator", "as_operator operator"],
        [" edge-1 ", " edge-1 --yes "],
      ],
      after: "as_operator operator switches retire edge-1 --yes",
    },
  ],
  [
    "docs/trunks.md",
    {
      before: `DIALPLANE_API_KEY=$OPERATOR dialplane api POST /operator/v1/switch-groups -d '{"name": "vienna"}'
awk '/^\`\`\`/ { if (isCode) exit; isCode = /json/; next } isCode' docs/kamailio.md |
  jq '.trunks = [{ name: "acme", direction: "in", transport: "udp",
    sources: ["198.51.100.0/24", "203.0.113.16/28"] }]' > switch.json`,
      instead: [
        ["dialplane operator", "DIALPLANE_API_KEY=$OPERATOR dialplane operator"],
        ["/etc/dialplane/switch.json", "switch.json --yes"],
        ["--file beta.json", "--file beta.json --yes"],
        ["restore 1", "restore 1 --yes"],
      ],
    },
  ],
  ["docs/recipes/move-to-a-new-trunk.md", {}],
  ["docs/recipes/find-what-is-not-routed.md", {}],
  ["docs/recipes/bill-from-usage.md", {}],
  ["docs/recipes/survive-a-carrier-outage.md", {}],
  [
    "docs/carrier-protocol.md",
    {
      before: "CARRIER=127.0.0.1:$((20000 + RANDOM % 10000))",
      instead: [
        [
          "start-carrier.ts carrier.secret",
          `start-carrier.ts carrier.secret \${CARRIER#*:} &
until (exec 3<> "/dev/tcp/\${CARRIER/:/\\/}") 2> /dev/null; do sleep 0.2; done`,
        ],
        ["127.0.0.1:8090", "$CARRIER"],
        ["https://carrier.example", "http://$CARRIER"],
        ["dialplane operator", "DIALPLANE_API_KEY=$OPERATOR dialplane operator"],
      ],
    },
  ],
  [
    "docs/recipes/replace-a-switch.md",
    { before: "export DIALPLANE_API_KEY=$OPERATOR", instead: [["edge-1", "demo-1"]] },
  ],
]);

/** Run in sequence in one shell, as by a user who sets up a service. */
export const ON_ONES_OWN: ReadonlyMap<string, Course> = new Map<string, Course>([
  [
    "docs/tutorial.md",
    {
      instead: [
        ["npx dialplane demo --directory ./session --json > demo.json &", "true"],
        ["postgres://owner@127.0.0.1:5432/dialplane", "$OWN_DATABASE"],
        ["https://numbers.example.com", "$OWN_ADDRESS"],
        ["smtps://user:password@mail.example.com", ""],
        ["owner@northwind.example   #", "owner@northwind.example | tee organisation.txt   #"],
        ["<id>", "$(awk '/^Organisation/ { print $2 }' organisation.txt)"],
        ["create-switch edge-1 ", "create-switch edge-1 | tail -n 1 > edge-1.credential "],
        ["/etc/dialplane/", ""],
        ["/var/lib/dialplane/", ""],
      ],
    },
  ],
  [
    "docs/carriers.md",
    {
      // A new operator has no session in a terminal yet.
      instead: [
        ["KEY…", "KEY0123456789ABCDEF"],
        ["dialplane operator", "DIALPLANE_URL=$API DIALPLANE_API_KEY=$OPERATOR dialplane operator"],
      ],
    },
  ],
  [
    "docs/switches.md",
    {
      instead: [
        ["create-switch edge-1 ", "create-switch edge-3 | tail -n 1 > edge-3.credential "],
        ["https://numbers.example.com", "$OWN_ADDRESS"],
        ["/etc/dialplane/edge-1", "edge-3"],
        ["/var/lib/dialplane/edge-1", "edge-3"],
      ],
      after: `until [ "$(npm run -s operator -- switches | grep -cE '^edge-[13] +default +active +0 +0 +2')" = 2 ]; do sleep 0.5; done`,
    },
  ],
]);
