import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { createCertificate } from "./drill-certificate.ts";
import { clusterValues, type Values } from "./reference-files.ts";

/** The only name of the service. Each proxy has one of its addresses. */
const NAME = "numbers.dialplane.example";

export const DATABASE_NODES = ["db-1", "db-2", "db-3"] as const;
export const ADDRESSES = {
  DB1: "127.0.1.1",
  DB2: "127.0.1.2",
  DB3: "127.0.1.3",
  PROXY1: "127.0.2.1",
  PROXY2: "127.0.2.2",
  APP1: "127.0.3.1",
  APP2: "127.0.3.2",
};

/** Folder, names, secrets and certificate that every part of a drill uses. */
export interface DrillFolder {
  path: string;
  values: Values;
  /** The values of one machine, with its data in a separate folder. */
  machine(node: string, address: string): Values;
  log(name: string): string;
  certificate: string;
}

const PROGRAMS = "etcd patroni patronictl haproxy pgbackrest sipp kamailio setpriv ip openssl psql".split(
  " ",
);

/** Programs of the drill that this machine lacks. */
export function missingPrograms(): string[] {
  return PROGRAMS.filter((name) => spawnSync("sh", ["-c", `command -v ${name}`]).status !== 0);
}

/** The private network and mounts of the drill hold its addresses and the name of the service. */
export function prepareDrill(): DrillFolder {
  const path = mkdtempSync(join(tmpdir(), "dialplane-drill-"));
  chmodSync(path, 0o755);
  execFileSync("ip", ["link", "set", "lo", "up"]);
  const hosts = join(path, "hosts");
  writeFileSync(hosts, `127.0.0.1 localhost\n${ADDRESSES.PROXY1} ${NAME}\n${ADDRESSES.PROXY2} ${NAME}\n`);
  execFileSync("mount", ["--bind", hosts, "/etc/hosts"]);
  for (const folder of ["logs", "backups", "spool"]) {
    mkdirSync(join(path, folder));
    ownedByPostgres(join(path, folder));
  }
  const certificate = createCertificate(path, NAME);
  setDefaultCACertificates([...getCACertificates("default"), readFileSync(certificate, "utf8")]);
  const values = clusterValues({
    ...ADDRESSES,
    NAME,
    NETWORK: "127.0.0.0/8",
    BACKUPS: join(path, "backups"),
    PGBACKREST_LOGS: join(path, "logs"),
    PGBACKREST_SPOOL: join(path, "spool"),
    CERTIFICATE: join(path, "tls.pem"),
    ...secrets(),
  });
  return {
    path,
    values,
    certificate,
    machine: (node, address) => ownValues(values, { node, address, path: join(path, node) }),
    log: (name) => join(path, "logs", `${name}.log`),
  };
}

function ownValues(values: Values, of: { node: string; address: string; path: string }): Values {
  const run = join(of.path, "run");
  mkdirSync(run, { recursive: true, mode: 0o700 });
  if (of.node.startsWith("db-")) for (const folder of [of.path, run]) ownedByPostgres(folder);
  return {
    ...values,
    NODE: of.node,
    ADDRESS: of.address,
    POSTGRES_DATA: join(of.path, "data"),
    POSTGRES_RUN: run,
    ETCD_DATA: join(of.path, "etcd"),
    PGBACKREST_CONFIG: join(of.path, "pgbackrest.conf"),
    HAPROXY_RUN: run,
    PROBLEM_503: join(of.path, "problem-503.http"),
    SWITCH_FOLDER: of.path,
    SWITCH_DATA: join(of.path, "data"),
    SWITCH_RUN: run,
  };
}

export function ownedByPostgres(path: string): void {
  if (process.getuid?.() === 0) execFileSync("chown", ["postgres:postgres", path]);
}

function secrets(): Values {
  const names = ["SUPERUSER", "REPLICATION", "REWIND", "PATRONI_API", "OWNER"];
  return {
    ...Object.fromEntries(names.map((name) => [`${name}_PASSWORD`, randomBytes(24).toString("hex")])),
    MASTER_SECRET: randomBytes(48).toString("base64"),
    BACKUP_PASSPHRASE: randomBytes(24).toString("hex"),
  };
}
