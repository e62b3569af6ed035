import type { Tx } from "../../../platform/db/database.ts";

export interface SubmissionRow {
  reference: string;
  e164: string;
  requirement_id: string;
  submitted_at: Date;
  rejected_reason: string | null;
}

const COLUMNS = "reference, e164, requirement_id, submitted_at, rejected_reason";

/** Oldest first. */
export async function listSubmissions(tx: Tx, testSideOf: string, order: string): Promise<SubmissionRow[]> {
  return tx.query<SubmissionRow>(
    `select ${COLUMNS} from sandbox_submissions where test_side_of = $1 and order_reference = $2
     order by submitted_at, reference`,
    [testSideOf, order],
  );
}

/** Returns the submission with the reference, which may have been inserted by an earlier call. */
export async function insertSubmission(
  tx: Tx,
  testSideOf: string,
  given: {
    reference: string;
    order: string;
    e164: string;
    requirement: string;
    rejectedReason: string | undefined;
  },
  now: Date,
): Promise<SubmissionRow> {
  const { reference, order, e164, requirement, rejectedReason } = given;
  await tx.query(
    `insert into sandbox_submissions (test_side_of, order_reference, ${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (reference) do nothing`,
    [testSideOf, order, reference, e164, requirement, now, rejectedReason ?? null],
  );
  const [row] = await tx.query<SubmissionRow>(
    `select ${COLUMNS} from sandbox_submissions where test_side_of = $1 and reference = $2`,
    [testSideOf, reference],
  );
  return row!;
}
