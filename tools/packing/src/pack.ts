import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "./bundle-program.ts";
import { packPackages } from "./npm-packages.ts";

for (const file of await packPackages(join(ROOT, "dist/packages")))
  console.log(`${relative(ROOT, file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB`);
