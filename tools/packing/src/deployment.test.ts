import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "./bundle-program.ts";
import { readBlocks, scriptOf, withValues } from "./page-blocks.ts";
import { VALUES } from "./self-hosting-values.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const UNITS = globSync("deploy/systemd/*.service", { cwd: ROOT }).toSorted();

test("the page on self-hosting has commands that a shell can read, for the values that are tried", () => {
  const [values, ...blocks] = readBlocks("docs/self-hosting.md", "docs/backup-and-upgrade.md");
  expect(blocks.length).toBeGreaterThan(10);
  const script = withValues(values!, VALUES) + scriptOf(blocks);
  const { status, stderr } = spawnSync("bash", ["-n"], { input: script, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

test("the page enables every unit there is, and no other", () => {
  const started = readBlocks("docs/self-hosting.md").flatMap(({ code }) =>
    [...code.matchAll(/^systemctl enable --now (.+)$/gm)].flatMap(([, names]) => names!.split(" ")),
  );
  const ours = started.filter((name) => name.startsWith("dialplane-")).map((name) => `${name}.service`);
  expect(ours.toSorted()).toEqual(UNITS.map((path) => basename(path)));
});

test.each(UNITS)("%s starts a program that is there, as a user without rights", (path) => {
  const unit = read(path);
  const [, program] = /^Exec(?:StartPre|Start)=\S*node (?:\/opt\/dialplane\/)?(\S+\.ts)/m.exec(unit) ?? [];
  expect(existsSync(join(ROOT, program!)), program).toBe(true);
  expect(/^User=(.+)$/m.exec(unit)?.[1]).toMatch(/^dialplane/);
  for (const line of HARDENING) expect(unit.split("\n")).toContain(line);
});

const HARDENING = [
  "NoNewPrivileges=yes",
  "CapabilityBoundingSet=",
  "ProtectSystem=strict",
  "ProtectHome=yes",
  "PrivateTmp=yes",
  "PrivateDevices=yes",
  "RestrictNamespaces=yes",
  "SystemCallFilter=@system-service",
  "SystemCallFilter=~@privileged @resources",
];

test.skipIf(spawnSync("systemd-analyze", ["--version"]).status !== 0).each(UNITS)(
  "%s is rated as little exposed by systemd",
  (path) => {
    const { status, stdout } = spawnSync(
      "systemd-analyze",
      ["security", "--offline=true", "--threshold=20", join(ROOT, path)],
      { encoding: "utf8" },
    );
    expect(status, stdout.slice(-300)).toBe(0);
  },
);

interface ComposeService {
  image: string;
  command?: string[];
  environment: Record<string, string>;
  read_only?: boolean;
  depends_on?: Record<string, { condition: string }>;
  volumes?: string[];
}

test("the compose file starts what is there, locked in, in an order that can be met", () => {
  // podman-compose 1.0 fills in nothing whose complaint is empty.
  expect(read("deploy/compose.yaml")).not.toMatch(/:\?\}/);
  const { services, volumes } = parse(read("deploy/compose.yaml"), { merge: true }) as {
    services: Record<string, ComposeService>;
    volumes: Record<string, unknown>;
  };
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(Object.keys(services)).toEqual(["postgres", "migrate", "api", "worker"]);
  for (const [name, service] of Object.entries(services)) {
    for (const needed of Object.keys(service.depends_on ?? {})) expect(services, name).toHaveProperty(needed);
    for (const mounted of service.volumes ?? []) expect(volumes).toHaveProperty(mounted.split(":")[0]!);
    if (name === "postgres") continue;
    expect(service).toMatchObject({
      image: `localhost/dialplane:${version}`,
      read_only: true,
      command: [name],
    });
    for (const setting of Object.keys(service.environment))
      expect(read("docs/configuration.md")).toContain(`\`${setting}\``);
  }
  expect(services["api"]!.environment["DATABASE_URL"], "only migrate is the owner").not.toContain("@");
});
