import pg from "pg";
import { statementName } from "./statement-name.ts";

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
  bind(message: { statement: string; values: unknown[] }): void;
  execute(message: object): void;
}

const Query = pg.Query as unknown as new (config: pg.QueryConfig) => PreparedQuery;

/**
 * PostgreSQL runs two statements before one sync as one transaction, without begin and commit. Both use one
 * packet in each direction. The first must be prepared, and must return no rows.
 */
class ScopedQuery extends Query {
  readonly #before: Statement;

  constructor(before: Statement, { text, values }: Statement) {
    super({ name: statementName(text), text, values });
    this.#before = before;
  }

  override prepare(wire: Wire): void {
    wire.bind({ statement: statementName(this.#before.text), values: this.#before.values });
    wire.execute({});
    super.prepare(wire);
  }
}

/** The rows of a statement that runs after another, in the same transaction. */
export function queryAfter<Row>(
  client: pg.PoolClient,
  before: Statement,
  statement: Statement,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const query = new ScopedQuery(before, statement);
    query.callback = (error, results) => (error ? reject(error) : resolve(results.at(-1)!.rows as Row[]));
    client.query(query);
  });
}
