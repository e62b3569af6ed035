import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundlePrograms, NATIVE, ROOT } from "./bundle-program.ts";
import { licenceTexts } from "./licence-texts.ts";
import { SERVER_FILES } from "./npm-packages.ts";

/** Account of the service. A number, because orchestrators compare numbers. */
export const IMAGE_USER = 10001;

const MACHINE = `linux-${process.arch}-gnu`;

/** Everything that is in the image, as a folder: nothing is downloaded, and no program runs to make it. */
export async function layOutImage(root: string): Promise<void> {
  rmSync(root, { recursive: true, force: true });
  const service = join(root, "opt/dialplane");
  await bundlePrograms(
    [
      { entry: "server/src/main.ts", name: "server" },
      { entry: "tools/packing/src/healthy.ts", name: "healthy" },
    ],
    service,
  );
  for (const path of SERVER_FILES) cpSync(join(ROOT, path), join(service, path), { recursive: true });
  for (const name of [NATIVE, `${NATIVE}-${MACHINE}`])
    cpSync(join(ROOT, "node_modules", name), join(service, "node_modules", name), { recursive: true });
  writeFileSync(join(service, "THIRD-PARTY-LICENCES.txt"), licenceTexts());
  cpSync(join(ROOT, "LICENSE"), join(service, "LICENSE"));
  placeNode(root);
  writeAccounts(root);
  mkdirSync(join(root, "tmp"));
  chmodSync(join(root, "tmp"), 0o1777);
}

/** With the libraries that it and its one native module are linked with, where they look for them. */
function placeNode(root: string): void {
  const node = realpathSync(process.execPath);
  const binding = join(ROOT, `node_modules/${NATIVE}-${MACHINE}/argon2.${MACHINE}.node`);
  const linked = execFileSync("ldd", [node, binding], { encoding: "utf8" });
  const libraries = [...linked.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path!);
  if (libraries.length < 5) throw new Error(`Which libraries does Node need?\n${linked}`);
  const places: [from: string, to: string][] = [
    [node, "/usr/bin/node"],
    ...libraries.map((path): [string, string] => [path, path]),
  ];
  for (const [from, to] of places) {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    copyFileSync(from, join(root, to));
  }
  chmodSync(join(root, "usr/bin/node"), 0o755);
}

function writeAccounts(root: string): void {
  mkdirSync(join(root, "etc"));
  writeFileSync(
    join(root, "etc/passwd"),
    `dialplane:x:${IMAGE_USER}:${IMAGE_USER}::/tmp:/usr/sbin/nologin\n`,
  );
  writeFileSync(join(root, "etc/group"), `dialplane:x:${IMAGE_USER}:\n`);
  writeFileSync(join(root, "etc/nsswitch.conf"), "hosts: files dns\n");
}
