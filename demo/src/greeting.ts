import { SEED_PASSWORD } from "@dialplane/server/seed";
import type { Population } from "./population.ts";

/** URL, accounts and first steps. */
export function greeting({ base_url, organisations }: Population, { isKept }: { isKept: boolean }): string {
  const [first] = organisations;
  const [, { e164 } = { e164: "" }] = first!.numbers;
  return `
Dialplane is running at ${base_url} (documentation: ${base_url}/docs).

Sign in as owner@northwind.example with the password “${SEED_PASSWORD}”.
Two organisations; admin@, developer@ and member@ work too, also @lumen.example:
${organisations.map(({ id, name }) => `  ${name.padEnd(20)} ${id}`).join("\n")}

Three things to try, in another terminal:

1. Send the calls of a number elsewhere; it waits until the switch has read it back.
     export DIALPLANE_URL=${base_url}
     export DIALPLANE_API_KEY=${first!.keys.full}
     npx dialplane routing set ${e164} --sip-uri sip:desk@pbx.example.com --yes

2. Find what is not as it should be. One number is refused by the switch, one is changed there by hand, on purpose.
     npx dialplane numbers list --sync failed
     curl "${base_url}/v1/numbers?sync=drifted" -H "Authorization: Bearer $DIALPLANE_API_KEY"

3. Watch calls come and go: open ${base_url} and choose Live.

${isKept ? "Ctrl-C ends it; the data stay for the next time, --reset makes new ones." : "Ctrl-C ends it and removes everything but the log."}`;
}
