import type { CliScene } from "./cli-scene.ts";

/** A switch group whose switches are not those of the demo. */
const GROUP = "vienna";
const TRUNK = { direction: "in", sources: ["198.51.100.0/24"], transport: "udp", max_calls: 200 };

/** As docs/kamailio.md has it. */
const SWITCH_SETTINGS = JSON.stringify({
  name: "edge-1",
  listen: ["udp:203.0.113.5:5060", "tcp:203.0.113.5:5060"],
  data_dir: "/var/lib/dialplane",
  run_dir: "/run/dialplane",
  secrets_file: "/etc/dialplane/switch.secret",
  trunks: [{ name: "acme", ...TRUNK, max_calls: 100 }],
});

export const TRUNK_SCENES: CliScene[] = [
  {
    name: "operator trunks set",
    async args({ ask, file }) {
      await ask("api", "POST", "/operator/v1/switch-groups", "-d", `{"name": "${GROUP}"}`);
      const network = ["--open", TRUNK.sources[0]!];
      return ["acme", "--file", file(JSON.stringify(TRUNK)), "--group", GROUP, ...network];
    },
    asOperator: true,
  },
  {
    name: "operator trunks import",
    args: ({ file }) => [file(SWITCH_SETTINGS), "--group", GROUP],
    asOperator: true,
  },
  { name: "operator trunks list", args: () => ["--group", GROUP], asOperator: true },
  { name: "operator trunks get", args: () => ["acme", "--group", GROUP], asOperator: true },
  { name: "operator trunks restore", args: () => ["1", "--group", GROUP], asOperator: true },
  { name: "operator trunks revisions", args: () => ["--group", GROUP], asOperator: true },
  { name: "operator trunks delete", args: () => ["acme", "--group", GROUP], asOperator: true, isOnce: true },
  { name: "operator trunks check", args: ({ file }) => [file(SWITCH_SETTINGS)], asOperator: true },
];
