import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type AgentLog, textOf } from "../agent-log.ts";
import { MOST_ASKED, type SecretService, type Signer, type SigningSecret } from "./secret-service.ts";

export interface KeptSecretsOptions {
  /** Path of a separate file that only the agent can read. */
  storePath: string;
  service: SecretService;
  /** Numbers with a routing webhook. */
  listNumbers(): string[];
  refreshMs?: number;
  log: AgentLog;
}

const REFRESH_MS = 15_000;
const SCHEMA = `
  pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 2000;
  create table if not exists signers (organisation_id text primary key, secrets text not null) without rowid;
  create table if not exists signed_numbers (number_id text primary key, organisation_id text not null) without rowid;
`;

/** Signing secrets by number, stored on disk: webhooks must work while the service is unreachable. */
export class KeptSecrets {
  readonly #options: KeptSecretsOptions;
  readonly #db: DatabaseSync;
  /** A number never changes hands: its next holder has it under another id. */
  readonly #organisations = new Map<string, string>();
  readonly #secrets = new Map<string, SigningSecret[]>();
  readonly #asking = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isClosed = false;

  constructor(options: KeptSecretsOptions) {
    this.#options = options;
    closeSync(openSync(options.storePath, "a", 0o600));
    this.#db = new DatabaseSync(options.storePath);
    this.#db.exec(SCHEMA);
    for (const row of this.#db.prepare("select number_id, organisation_id from signed_numbers").all())
      this.#organisations.set(String(row["number_id"]), String(row["organisation_id"]));
    for (const row of this.#db.prepare("select organisation_id, secrets from signers").all())
      this.#secrets.set(
        String(row["organisation_id"]),
        JSON.parse(String(row["secrets"])) as SigningSecret[],
      );
    void this.#refresh();
  }

  /** Secrets that sign now, newest first. Fetches unknown ones, and rejects if the number is unknown. */
  async signerOf(numberId: string): Promise<{ organisationId: string; secrets: string[] }> {
    if (!this.#organisations.has(numberId)) await this.#askOnce(numberId);
    const organisationId = this.#organisations.get(numberId);
    const known = organisationId === undefined ? undefined : this.#secrets.get(organisationId);
    if (organisationId === undefined || !known)
      throw new Error("No organisation with a signing secret holds this number.");
    const now = Date.now();
    const good = known.filter(({ until }) => until === null || Date.parse(until) > now);
    return { organisationId, secrets: good.map(({ secret }) => secret) };
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#db.close();
  }

  #askOnce(numberId: string): Promise<void> {
    const asking =
      this.#asking.get(numberId) ?? this.#ask([numberId]).finally(() => this.#asking.delete(numberId));
    this.#asking.set(numberId, asking);
    return asking;
  }

  async #refresh(): Promise<void> {
    const { log, refreshMs = REFRESH_MS } = this.#options;
    try {
      await this.#askAll();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing && !this.#isClosed)
        log.warn({ error: textOf(error) }, "signing secrets not refreshed; keeping the known ones");
      this.#isFailing = true;
    }
    // Spread, so that a group's switches do not all ask at once.
    const pauseMs = refreshMs * (0.8 + 0.4 * Math.random());
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#refresh(), pauseMs);
  }

  /** Of each organisation that is known one number, and every number that is not. */
  async #askAll(): Promise<void> {
    const numbers = this.#options.listNumbers();
    const seen = new Set<string>();
    const due = numbers.filter((id) => {
      const organisationId = this.#organisations.get(id);
      if (organisationId === undefined) return true;
      if (seen.has(organisationId)) return false;
      seen.add(organisationId);
      return true;
    });
    for (let at = 0; at < due.length && !this.#isClosed; at += MOST_ASKED)
      await this.#ask(due.slice(at, at + MOST_ASKED));
    if (!this.#isClosed) this.#forgetAllBut(new Set(this.#options.listNumbers()));
  }

  async #ask(numberIds: string[]): Promise<void> {
    const signers = await this.#options.service.signersOf(numberIds);
    if (!this.#isClosed) this.#inTransaction(() => signers.forEach((signer) => this.#keep(signer)));
  }

  #keep({ organisation_id: organisationId, number_ids: numberIds, secrets }: Signer): void {
    const text = JSON.stringify(secrets);
    if (text !== JSON.stringify(this.#secrets.get(organisationId)))
      this.#db
        .prepare("insert or replace into signers (organisation_id, secrets) values (?, ?)")
        .run(organisationId, text);
    this.#secrets.set(organisationId, secrets);
    const add = this.#db.prepare(
      "insert or replace into signed_numbers (number_id, organisation_id) values (?, ?)",
    );
    for (const id of numberIds) {
      if (this.#organisations.get(id) === organisationId) continue;
      add.run(id, organisationId);
      this.#organisations.set(id, organisationId);
    }
  }

  /** Deletes secrets that are no longer needed. */
  #forgetAllBut(numbers: Set<string>): void {
    const gone = [...this.#organisations.keys()].filter((id) => !numbers.has(id));
    if (gone.length === 0) return;
    this.#inTransaction(() => {
      for (const id of gone) {
        this.#organisations.delete(id);
        this.#db.prepare("delete from signed_numbers where number_id = ?").run(id);
      }
      const left = new Set(this.#organisations.values());
      for (const id of [...this.#secrets.keys()].filter((one) => !left.has(one))) {
        this.#secrets.delete(id);
        this.#db.prepare("delete from signers where organisation_id = ?").run(id);
      }
    });
  }

  #inTransaction(work: () => void): void {
    this.#db.exec("begin immediate");
    try {
      work();
      this.#db.exec("commit");
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("rollback");
      throw error;
    }
  }
}
