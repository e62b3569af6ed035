import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Paths of Debian's packages. */
const VERSION = "15";
const HOME = `/usr/lib/postgresql/${VERSION}`;
const SHARE = `/usr/share/postgresql/${VERSION}`;
const USER = 999;

/** Subset of the entry point of compose.yaml's image, for these three settings. */
const ENTRY = `#!/bin/sh
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8 --locale=C
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  echo "create database $POSTGRES_DB" | postgres --single postgres
fi
exec postgres -c listen_addresses='*'
`;

const DOCKERFILE = `FROM scratch
COPY . /
COPY --chown=${USER}:${USER} var /var
USER ${USER}:${USER}
ENV PGDATA=/var/lib/postgresql/data PATH=${HOME}/bin:/bin
ENTRYPOINT ["/entry"]
`;

/** Without a registry PostgreSQL's image is not available, so this one consists of this machine's packages. */
export function layOutPostgres(root: string): void {
  rmSync(root, { recursive: true, force: true });
  for (const path of ["tmp", "bin", "etc", "var/lib/postgresql/data", "var/run/postgresql"])
    mkdirSync(join(root, path), { recursive: true });
  chmodSync(join(root, "tmp"), 0o1777);
  const programs = ["postgres", "initdb", "pg_isready"].map((name) => `${HOME}/bin/${name}`);
  const modules = ["plpgsql", "dict_snowball", "pg_trgm", "btree_gin", "libpqwalreceiver"].map(
    (name) => `${HOME}/lib/${name}.so`,
  );
  const files = [...programs, ...modules, "/bin/sh", ...globSync("/lib/*-linux-gnu/libnss_{files,dns}.so.2")];
  for (const file of [...files, ...librariesOf(files)]) place(root, file);
  for (const folder of [SHARE, "/usr/share/zoneinfo"])
    cpSync(folder, join(root, folder), { recursive: true, dereference: true });
  writeFileSync(join(root, "etc/passwd"), `postgres:x:${USER}:${USER}::/tmp:/bin/sh\n`);
  writeFileSync(join(root, "entry"), ENTRY, { mode: 0o755 });
  writeFileSync(join(root, "Dockerfile"), DOCKERFILE);
}

function librariesOf(files: readonly string[]): Set<string> {
  const linked = execFileSync("ldd", files, { encoding: "utf8" });
  return new Set([...linked.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path!));
}

function place(root: string, file: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  copyFileSync(file, join(root, file));
}
