import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./bundle-program.ts";
import { readBlocks, scriptOf } from "./page-blocks.ts";

/**
 * Follows docs/self-hosting.md and docs/backup-and-upgrade.md in a fresh Debian 12. Packages use the machine's network. The other steps run
 * in an isolated network with the page's addresses. Runs as root in separate namespaces, which end with it.
 */
const { prepared } = parseArgs({ options: { prepared: { type: "string" } } }).values;
const BASE = join(ROOT, ".dev/debian-12");
const WITH_NETWORK = ["Packages"];
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

const folder = mkdtempSync(join(tmpdir(), "dialplane-self-hosting-"));
chmodSync(folder, 0o755);
const root = join(folder, "root");
const started = performance.now();
try {
  if (!prepared) fetchDebian();
  layOver(prepared ?? BASE);
  fill();
  const [values, ...blocks] = readBlocks("docs/self-hosting.md", "docs/backup-and-upgrade.md");
  if (!values || blocks.length < 10) throw new Error("The page has lost its commands.");
  if (!prepared) {
    const first = blocks.filter(({ section }) => WITH_NETWORK.includes(section));
    run("chroot", [root, "/bin/bash", "-c", scriptOf(first)]);
    tell("packages are installed");
  }
  run("unshare", ["--net", process.execPath, join(import.meta.dirname, "self-hosting-inside.ts"), root]);
  tell("the page holds");
} finally {
  spawnSync("umount", ["--lazy", "--recursive", root]); // what still runs in it ends with us
  rmSync(folder, { recursive: true, force: true });
}

function fetchDebian(): void {
  if (existsSync(join(BASE, "etc/debian_version"))) return;
  rmSync(BASE, { recursive: true, force: true });
  mkdirSync(BASE, { recursive: true });
  run("debootstrap", ["--variant=minbase", "bookworm", BASE, ...debianMirror()]);
  tell("there is an empty Debian");
}

/** The one this machine uses, if it says so. */
function debianMirror(): string[] {
  const sources = spawnSync("sh", ["-c", "cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null"]);
  const [, mirror] = /(https?:\/\/\S+\/debian)\/?\s/.exec(String(sources.stdout)) ?? [];
  return mirror ? [mirror] : [];
}

/** Mounts a separate layer over the download, which stays clean for the next run. */
function layOver(lower: string): void {
  const [upper, work] = [join(folder, "upper"), join(folder, "work")];
  for (const path of [root, upper, work]) mkdirSync(path);
  run("mount", [
    "-t",
    "overlay",
    "overlay",
    "-o",
    `lowerdir=${lower},upperdir=${upper},workdir=${work}`,
    root,
  ]);
  run("mount", ["-t", "proc", "proc", join(root, "proc")]);
  run("mount", ["--rbind", "/dev", join(root, "dev")]);
}

/** The project, and what this machine knows about the ways out of it; no program is started while packages are installed. */
function fill(): void {
  mkdirSync(join(root, "opt/dialplane"), { recursive: true });
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
  });
  for (const path of String(files).split("\0"))
    if (path && existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(root, "opt/dialplane", path));
  for (const path of ["/etc/resolv.conf", CERTIFICATES, "/root/.npmrc"])
    if (existsSync(path)) cpSync(path, join(root, path), { dereference: true });
  // From there they are taken over when Debian's package writes the file again.
  if (existsSync(CERTIFICATES))
    cpSync(CERTIFICATES, join(root, "usr/local/share/ca-certificates/this-machine.crt"), {
      dereference: true,
    });
  writeFileSync(join(root, "usr/sbin/policy-rc.d"), "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  const substitute = readFileSync(join(import.meta.dirname, "systemctl-stand-in.sh"));
  writeFileSync(join(root, "usr/local/bin/systemctl"), substitute, { mode: 0o755 });
}

function run(program: string, args: string[]): void {
  execFileSync(program, args, { stdio: ["ignore", "inherit", "inherit"] });
}

function tell(what: string): void {
  console.log(`${((performance.now() - started) / 1_000).toFixed(0)} s: ${what}`);
}
