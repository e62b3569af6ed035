import { SEED_PASSWORD } from "@dialplane/server/seed";
import type { Population } from "./population.ts";

/** URL, accounts and first steps. */
export function greeting({ base_url, organisations }: Population, { isKept }: { isKept: boolean }): string {
  const [first] = organisations;
  const [, { e164 } = { e164: "" }] = first!.numbers;
  return `
Dialplane is running at ${base_url} (documentation: ${base_url}/docs).

Sign in as owner@northwind.example with the password “${SEED_PASSWORD}”.
The accounts admin@, developer@ and member@ work too. Organisations (@northwind.example, @lumen.example):
${organisations.map(({ id, name }) => `  ${name.padEnd(20)} ${id}`).join("\n")}

Three things to try, in another terminal:

1. Route a number to a new destination and wait until the switch has applied it.
     export DIALPLANE_URL=${base_url}
     export DIALPLANE_API_KEY=${first!.keys.full}
     npx dialplane routing set ${e164} --sip-uri sip:desk@pbx.example.com --yes

2. List numbers out of sync. The demo's switch rejects one number and changes another.
     npx dialplane numbers list --sync failed
     curl "${base_url}/v1/numbers?sync=drifted" -H "Authorization: Bearer $DIALPLANE_API_KEY"

3. Watch active calls: open ${base_url} and choose Calls, then In progress.

${isKept ? "Press Ctrl-C to stop. The data are kept for the next start. --reset deletes them." : "Press Ctrl-C to stop and delete everything except the log."}`;
}
