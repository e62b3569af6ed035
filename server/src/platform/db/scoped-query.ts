import pg from "pg";
import { statement, type StatementMode, statementName } from "./statement-name.ts";

export interface Statement {
  text: string;
  values: unknown[];
}

/** Members of pg's class that its types lack. */
interface PreparedQuery extends pg.Submittable {
  callback: (error: Error | null, results: pg.QueryResult[]) => void;
  prepare(wire: Wire): void;
}
interface Wire {
  parse(message: { text: string }): void;
  bind(message: { statement: string; values: unknown[] }): void;
  execute(message: object): void;
}

const Query = pg.Query as unknown as new (config: pg.QueryConfig) => PreparedQuery;

/**
 * PostgreSQL runs two statements before one sync as one transaction, without begin and commit. Both use one
 * packet in each direction. The first must return no rows, and with names it must be prepared.
 */
class ScopedQuery extends Query {
  readonly #before: Statement;

  readonly #mode: StatementMode;

  constructor(mode: StatementMode, before: Statement, { text, values }: Statement) {
    super(statement(mode, text, values));
    this.#before = before;
    this.#mode = mode;
  }

  override prepare(wire: Wire): void {
    const { text, values } = this.#before;
    if (this.#mode === "unnamed") wire.parse({ text });
    wire.bind({ statement: this.#mode === "named" ? statementName(text) : "", values });
    wire.execute({});
    super.prepare(wire);
  }
}

/** The rows of a statement that runs after another, in the same transaction. */
export function queryAfter<Row>(
  client: pg.PoolClient,
  mode: StatementMode,
  [before, after]: readonly [Statement, Statement],
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const query = new ScopedQuery(mode, before, after);
    query.callback = (error, results) => (error ? reject(error) : resolve(results.at(-1)!.rows as Row[]));
    client.query(query);
  });
}
