import type { OrganisationTx, Tx } from "../../platform/db/database.ts";

export interface DocumentRow {
  id: string;
  kind: string;
  file_name: string;
  media_type: string;
  size: number;
  created_at: Date;
}

export interface SealedDocument {
  sealed_content: Buffer;
  sealed_key: Buffer;
  root_id: number;
}

const COLUMNS = "id, kind, file_name, media_type, size, created_at";
const OWN = "organisation_id = $1 and environment = $2";

export async function listDocumentsAfter(
  tx: OrganisationTx,
  after: string | undefined,
  limit: number,
): Promise<DocumentRow[]> {
  return tx.query<DocumentRow>(
    `select ${COLUMNS} from documents where ${OWN} and ($3::uuid is null or id > $3) order by id limit $4`,
    [tx.organisationId, tx.environment, after ?? null, limit + 1],
  );
}

export async function findDocument(tx: OrganisationTx, id: string): Promise<DocumentRow | undefined> {
  const [row] = await tx.query<DocumentRow>(`select ${COLUMNS} from documents where ${OWN} and id = $3`, [
    tx.organisationId,
    tx.environment,
    id,
  ]);
  return row;
}

/** With its content, also for the worker. */
export async function findSealedDocument(
  tx: Tx,
  { organisationId, environment }: { organisationId: string; environment: string },
  id: string,
): Promise<(DocumentRow & SealedDocument) | undefined> {
  const [row] = await tx.query<DocumentRow & SealedDocument>(
    `select ${COLUMNS}, sealed_content, sealed_key, root_id from documents where ${OWN} and id = $3`,
    [organisationId, environment, id],
  );
  return row;
}

export async function insertDocument(tx: OrganisationTx, row: DocumentRow & SealedDocument): Promise<void> {
  await tx.query(
    `insert into documents (organisation_id, environment, ${COLUMNS}, sealed_content, sealed_key, root_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      tx.organisationId,
      tx.environment,
      row.id,
      row.kind,
      row.file_name,
      row.media_type,
      row.size,
      row.created_at,
      row.sealed_content,
      row.sealed_key,
      row.root_id,
    ],
  );
}

/** Orders that have ended forget the document. A foreign key keeps those of open orders. */
export async function deleteDocumentRow(tx: OrganisationTx, id: string): Promise<void> {
  const own = [tx.organisationId, tx.environment, id];
  await tx.query(
    `update order_requirements r set document_id = null from orders o
     where r.organisation_id = $1 and r.environment = $2 and r.document_id = $3 and o.organisation_id = $1
       and o.environment = $2 and o.id = r.order_id and o.finished_at is not null`,
    own,
  );
  await tx.query(`delete from documents where ${OWN} and id = $3`, own);
}
