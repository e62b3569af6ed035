import type { App } from "../../app.ts";
import { type Letter, type MailRow, setMailReference } from "../../events/mails/mails.ts";
import { listNotified } from "../../events/notifications/notifications.ts";
import type { Tx } from "../../platform/db/database.ts";
import { listTroubledDomains } from "../identity-providers/identity-providers.ts";
import { findOpenInvitation, tokenOfInvitation } from "../invitations/invitations.ts";
import { findTagOfLink, makeLink, tokenOfLink } from "../one-time-links/one-time-links.ts";
import { findOrganisation } from "../organisations/organisations.ts";
import { findUserByEmail } from "../users/users.ts";
import { problemLetter } from "./letters.problems.ts";
import { breakGlassLetter, domainLetter, securityLetter } from "./letters.texts.ts";

/**
 * Returns undefined if there is no longer anyone to write to. The secret of a link is in its fragment, which browsers do not
 * send, so that no server logs it.
 */
export async function writeLetter(app: App, tx: Tx, mail: MailRow): Promise<Letter | undefined> {
  const { baseUrl } = app.config;
  switch (mail.kind) {
    case "invitation": {
      const invitation = await findOpenInvitation(tx, mail.reference!, app.clock.now());
      if (!invitation) return undefined;
      const link = `${baseUrl}/invitation#${tokenOfInvitation(app, invitation.id, invitation.tag)}`;
      return {
        subject: `You are invited to ${invitation.organisation_name}`,
        text: `You are invited to join ${invitation.organisation_name} as ${invitation.role}.\n\nAccept within seven days:\n${link}`,
      };
    }
    case "reset_password":
      return resetLetter(app, tx, mail);
    case "change_email": {
      const token = tokenOfLink(
        app,
        "change_email",
        mail.reference!,
        await findTagOfLink(tx, mail.reference!),
      );
      const link = `${baseUrl}/change-email#${token}`;
      return {
        subject: "Confirm your new email address",
        text: `Confirm this address within a day:\n${link}`,
      };
    }
    case "password_changed":
      return {
        subject: "Your password was changed",
        text: `Your password was changed. If this was not you, reset it at once:\n${baseUrl}/reset-password`,
      };
    case "email_changed":
      return {
        subject: "Your email address was changed",
        text: "The email address of your account was changed. If this was not you, contact the operator at once.",
      };
    case "database_rolled_back":
      return {
        subject: "Dialplane: the database was rolled back",
        text: `Switches hold routes that are not part of the database's history. It was restored from a backup, a snapshot or a dump, or a standby took over that had lost changes.\n\nList the epochs and resolve the rollback:\n  dialplane-server epochs\n\n${baseUrl}/docs`,
      };
    case "problem_began":
    case "problem_ended": {
      const transition = mail.kind === "problem_began" ? "began" : "ended";
      return problemLetter(transition, await listNotified(tx, transition, mail.reference!), baseUrl);
    }
    case "break_glass_used":
    case "domain_proof_missing":
    case "domain_proof_lapsed":
      return writeToOwner(tx, mail.kind, mail.reference!, baseUrl);
    default:
      return securityLetter(mail.kind, baseUrl);
  }
}

/** About the organisation or the identity provider that the reference names. */
async function writeToOwner(
  tx: Tx,
  kind: "break_glass_used" | "domain_proof_missing" | "domain_proof_lapsed",
  reference: string,
  baseUrl: string,
): Promise<Letter | undefined> {
  if (kind === "break_glass_used") {
    const organisation = await findOrganisation(tx, reference);
    return organisation && breakGlassLetter(organisation.name, baseUrl);
  }
  const trouble = kind === "domain_proof_missing" ? "missing" : "lapsed";
  const domains = await listTroubledDomains(tx, reference, trouble);
  return domains.length > 0 ? domainLetter(kind, domains, baseUrl) : undefined;
}

async function resetLetter(app: App, tx: Tx, mail: MailRow): Promise<Letter | undefined> {
  const user = await findUserByEmail(tx, mail.recipient);
  if (!user || user.disabled_at) return undefined;
  // Only once: sent again after a crash, the mail must not bring a link back that was used in the meantime.
  if (!mail.reference) {
    await makeLink(tx, app.clock.now(), { id: mail.id, userId: user.id, purpose: "reset_password" });
    await setMailReference(tx, mail.id, mail.id);
  }
  const token = tokenOfLink(app, "reset_password", mail.id, await findTagOfLink(tx, mail.id));
  const link = `${app.config.baseUrl}/reset-password#${token}`;
  return {
    subject: "Set a new password",
    text: `Set a new password within one hour:\n${link}\n\nIf you did not request this, ignore this email.`,
  };
}
