import { Type } from "typebox";
import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById, PageQuery } from "../../platform/http/shapes.ts";
import { MOST_BASE64 } from "./documents.rules.ts";
import { CreateDocument, Document, DocumentContent, DocumentPage } from "./documents.schema.ts";
import {
  createDocument,
  deleteDocument,
  type DocumentRow,
  downloadDocument,
  getDocument,
  listDocuments,
} from "./documents.ts";

const PATH = "/v1/documents";
/** Those who may order. */
const OF_BUYERS = {
  tag: "Requirements",
  access: { callers: "organisation", sessions: { roles: ["owner", "admin"] }, keys: "none" },
} as const;
const OF_ONE = { ...OF_BUYERS, params: ById, notFound: "document_not_found" } as const;

const listDocumentsOperation = operation({
  ...OF_BUYERS,
  id: "listDocuments",
  method: "GET",
  path: PATH,
  summary: "List documents",
  description: "Lists the documents of the organisation in this environment, without their content.",
  idempotency: "none",
  query: Type.Object(PageQuery, { additionalProperties: false }),
  answers: { 200: DocumentPage },
  async run(app, { actor, query }) {
    return pageOf(app, { path: PATH, of: actor }, query, {
      rows: (page) => listDocuments(app, actor, page),
      item: shownDocument,
      position: (row) => row.id,
    });
  },
});

const createDocumentOperation = operation({
  ...OF_BUYERS,
  id: "createDocument",
  method: "POST",
  path: PATH,
  summary: "Create a document",
  description:
    "Stores a file that you can submit to a carrier when an order requires one. The file is encrypted. An organisation has at most 200 documents with 100 MiB in each environment.",
  idempotency: "optional",
  http: { maxBodyBytes: MOST_BASE64 + 16 * 1024 },
  body: CreateDocument,
  answers: { 201: Document },
  errors: ["document_limit_reached"],
  async change(tx, { actor, body }, app) {
    const document = await createDocument(tx, app, actor, body);
    return {
      status: 201,
      body: shownDocument(document),
      headers: { location: `${app.config.baseUrl}${PATH}/${document.id}` },
    };
  },
});

const getDocumentOperation = operation({
  ...OF_ONE,
  id: "getDocument",
  method: "GET",
  path: `${PATH}/{id}`,
  summary: "Get a document",
  description: "Without its content.",
  idempotency: "none",
  answers: { 200: Document },
  async run(app, { actor, params }) {
    return { status: 200, body: shownDocument(await getDocument(app, actor, params.id)) };
  },
});

const downloadDocumentOperation = operation({
  ...OF_ONE,
  id: "downloadDocument",
  method: "POST",
  path: `${PATH}/{id}/download`,
  summary: "Download a document",
  description: "The document with its content. It is a POST, because the audit log records each download.",
  idempotency: "none",
  answers: { 200: DocumentContent },
  async run(app, { actor, params }) {
    const { content, ...document } = await downloadDocument(app, actor, params.id);
    return { status: 200, body: { ...shownDocument(document), content: content.toString("base64") } };
  },
});

const deleteDocumentOperation = operation({
  ...OF_ONE,
  id: "deleteDocument",
  method: "DELETE",
  path: `${PATH}/{id}`,
  summary: "Delete a document",
  description: "Fails while an open order uses the document. The carrier keeps what it received.",
  idempotency: "none",
  answers: { 204: null },
  errors: ["document_in_use"],
  async change(tx, { actor, params }, app) {
    await deleteDocument(tx, app, actor, params.id);
    return { status: 204 };
  },
});

function shownDocument({ id, kind, file_name, media_type, size, created_at }: DocumentRow): Document {
  return {
    id,
    kind,
    file_name,
    media_type: media_type as Document["media_type"],
    size,
    created_at: created_at.toISOString(),
  };
}

export const documentsOperations = [
  listDocumentsOperation,
  createDocumentOperation,
  getDocumentOperation,
  downloadDocumentOperation,
  deleteDocumentOperation,
];
