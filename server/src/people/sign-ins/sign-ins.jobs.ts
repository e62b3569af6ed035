import type { App } from "../../app.ts";
import { queueMail } from "../../events/mails/mails.ts";
import { listOwnerEmails } from "../members/members.ts";
import { TELL_OWNERS } from "./sign-ins.policies.ts";

/** The role that signs people in does not see who else is a member, so the worker finds the other owners. */
export const tellOwnersJob = {
  name: TELL_OWNERS,
  async run(app: App, { organisationId, userId }: { organisationId: string; userId: string }): Promise<void> {
    await app.db.forSystem("sign-ins", async (tx) => {
      for (const recipient of await listOwnerEmails(tx, organisationId, userId))
        await queueMail(tx, app, { kind: "break_glass_used", recipient, reference: organisationId });
    });
  },
};
