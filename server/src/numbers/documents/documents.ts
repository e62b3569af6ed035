import { createSecretKey, randomBytes } from "node:crypto";
import type { App } from "../../app.ts";
import { recordAct, authorOf } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import type { OrganisationScope, OrganisationTx, Tx } from "../../platform/db/database.ts";
import { violatedConstraint } from "../../platform/db/database-error.ts";
import type { Actor } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { seal, unseal, unsealBytes } from "../../platform/sealed-secrets.ts";
import { bytesOf, mediaTypeOf, MOST_DOCUMENT_BYTES } from "./documents.rules.ts";
import type { CreateDocument } from "./documents.schema.ts";
import {
  deleteDocumentRow,
  type DocumentRow,
  findDocument,
  findSealedDocument,
  insertDocument,
  listDocumentsAfter,
  type SealedDocument,
} from "./documents.store.ts";

export type { DocumentRow };
export { findDocument };

type Sealing = Pick<App, "secrets">;

/** A document with its file. */
export interface OpenedDocument extends DocumentRow {
  content: Buffer;
}

export async function listDocuments(
  { db }: Pick<App, "db">,
  actor: Actor,
  page: Page,
): Promise<DocumentRow[]> {
  return db.forOrganisation(actor, (tx) => listDocumentsAfter(tx, page.after, page.limit));
}

export async function getDocument({ db }: Pick<App, "db">, actor: Actor, id: string): Promise<DocumentRow> {
  return (await db.forOrganisation(actor, (tx) => findDocument(tx, id))) ?? noSuchDocument();
}

/** Reads the file, and records who did. */
export async function downloadDocument(
  { db, clock, secrets }: Sealing & Pick<App, "db" | "clock">,
  actor: Actor,
  id: string,
): Promise<OpenedDocument> {
  return db.forOrganisation(actor, async (tx) => {
    const document = (await openDocument(tx, { secrets }, tx, id)) ?? noSuchDocument();
    await recordAct(tx, authorOf(actor.caller, actor.origin), clock.now(), {
      action: "document.downloaded",
      subject: id,
      organisationId: tx.organisationId,
      environment: tx.environment,
    });
    return document;
  });
}

/** Undefined if there is no document with this ID. */
export async function openDocument(
  tx: Tx,
  { secrets }: Sealing,
  of: OrganisationScope,
  id: string,
): Promise<OpenedDocument | undefined> {
  const row = await findSealedDocument(tx, of, id);
  if (!row) return undefined;
  const { sealed_content, sealed_key, root_id, ...document } = row;
  const key = unseal(secrets.of("document-keys", root_id), id, sealed_key);
  const content =
    key === undefined ? undefined : unsealBytes(createSecretKey(key, "base64"), id, sealed_content);
  if (!content) throw new Error(`The document ${id} cannot be opened.`);
  return { ...document, content };
}

export async function createDocument(
  tx: OrganisationTx,
  app: Sealing & Pick<App, "clock">,
  actor: Actor,
  { kind, file_name, content: base64 }: CreateDocument,
): Promise<DocumentRow> {
  const { content, media_type } = fileOf(base64);
  const id = newId();
  const at = app.clock.now();
  const row = { id, kind, file_name, media_type, size: content.length, created_at: at };
  await insertDocument(tx, { ...row, ...sealFile(app, id, content) }).catch(rejectBeyondLimit);
  await record(tx, actor, at, { type: "document.created", row });
  return row;
}

/** Fails while an open order uses it: the carrier may still ask for it. */
export async function deleteDocument(
  tx: OrganisationTx,
  { clock }: Pick<App, "clock">,
  actor: Actor,
  id: string,
): Promise<void> {
  const row = (await findDocument(tx, id)) ?? noSuchDocument();
  await deleteDocumentRow(tx, id).catch(rejectInUse);
  await record(tx, actor, clock.now(), { type: "document.deleted", row });
}

/** Each file has its own key, so that a new root key does not mean sealing every file again. */
function sealFile({ secrets }: Sealing, id: string, content: Buffer): SealedDocument {
  const bytes = randomBytes(32);
  const { key, rootId } = secrets.current("document-keys");
  return {
    sealed_content: seal(createSecretKey(bytes), id, content),
    sealed_key: seal(key, id, bytes.toString("base64")),
    root_id: rootId,
  };
}

function fileOf(base64: string): { content: Buffer; media_type: string } {
  const content = bytesOf(base64);
  if (!content) throw invalidContent("format", "The content is not Base64 with padding.");
  if (content.length > MOST_DOCUMENT_BYTES)
    throw invalidContent("too_long", "The file is larger than 5 MiB.");
  const media_type = mediaTypeOf(content);
  if (!media_type) throw invalidContent("not_allowed", "The file is not a PDF, PNG or JPEG.");
  return { content, media_type };
}

function invalidContent(code: string, detail: string): ApiError {
  return new ApiError("invalid_request", detail, { errors: [{ pointer: "#/content", code, detail }] });
}

/** Without the file's name, which can name a person: events are kept longer than it, and go to other systems. */
async function record(
  tx: OrganisationTx,
  actor: Actor,
  at: Date,
  { type, row }: { type: "document.created" | "document.deleted"; row: DocumentRow },
): Promise<void> {
  await recordChange(tx, authorOf(actor.caller, actor.origin), at, {
    type,
    organisationId: tx.organisationId,
    environment: tx.environment,
    subject: row.id,
    data: { kind: row.kind, media_type: row.media_type, size: row.size },
  });
}

function rejectBeyondLimit(error: unknown): never {
  const constraint = violatedConstraint(error);
  if (constraint === "evidence_totals_documents")
    throw new ApiError("document_limit_reached", "The organisation has 200 documents in this environment.");
  if (constraint === "evidence_totals_bytes")
    throw new ApiError("document_limit_reached", "The documents of this environment would exceed 100 MiB.");
  throw error;
}

function rejectInUse(error: unknown): never {
  if (!violatedConstraint(error)?.startsWith("order_requirements_")) throw error;
  throw new ApiError("document_in_use", "An open order uses the document.");
}

function noSuchDocument(): never {
  throw notFound("document_not_found");
}
