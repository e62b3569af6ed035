import { fileURLToPath } from "node:url";
import { makeSite, writeSite } from "./make-site.ts";

/** npm run docs: the documentation as pages, to be put on any web server or opened from the disk. */
const folder = fileURLToPath(new URL("../dist/", import.meta.url));
const site = await makeSite();
writeSite(site, folder);
for (const fault of site.faults) console.error(fault);
console.log(`${site.pages.length} pages: ${folder}index.html`);
if (site.faults.length > 0) process.exitCode = 1;
