import { createHmac } from "node:crypto";
import { type AgentLog, textOf } from "../agent-log.ts";
import { readAddressRules } from "../kamailio/address-rules.ts";
import { sipResolver } from "../kamailio/sip-names.ts";
import type { CallQuestion } from "./call-question.ts";
import { type CustomerPost, customerPost } from "./customer-post.ts";
import { KeptSecrets, type KeptSecretsOptions } from "./kept-secrets.ts";
import { RedirectServer, type Verdict } from "./redirect-server.ts";
import { type AnswerNeeds, verdictOf } from "./webhook-answer.ts";

export interface RoutingWebhookOptions extends KeptSecretsOptions {
  port: number;
  /** Addresses that webhook servers and SIP addresses may have in addition to public ones. */
  egressAllow?: string;
  hasIpv6?: boolean;
  dnsServers?: string[] | undefined;
  listForwardPrefixes(): readonly string[];
  /** For all of it: secrets, look-ups, the customer's program and the address it names. */
  answerMs?: number;
}

/** The switch waits a second more. */
const ANSWER_MS = 2_000;
const MOST_BYTES = 16 * 1024;
/** Limits of open webhooks. An organisation with a slow server uses its fallback, and does not block others. */
const MOST_OPEN = { all: 1_000, ofOrganisation: 50 };
const LOG_EVERY_MS = 60_000;

/** Calls customers' routing webhooks and returns their decisions to the switch. */
export function startRoutingWebhooks(options: RoutingWebhookOptions): RoutingWebhooks {
  return new RoutingWebhooks(options);
}

export class RoutingWebhooks {
  readonly #secrets: KeptSecrets;
  readonly #server: RedirectServer;
  readonly #post: CustomerPost;
  readonly #needs: AnswerNeeds;
  readonly #log: AgentLog;
  readonly #answerMs: number;
  readonly #open = new Map<string, number>();
  #openInAll = 0;
  /** When it was last said of an organisation that its program is not followed, and how often it was not since. */
  readonly #said = new Map<string, { atMs: number; count: number }>();

  constructor({ port, egressAllow = "", hasIpv6 = false, dnsServers, ...options }: RoutingWebhookOptions) {
    const rules = readAddressRules(egressAllow);
    const { listForwardPrefixes, log, answerMs = ANSWER_MS } = options;
    [this.#log, this.#answerMs] = [log, answerMs];
    this.#needs = {
      rules,
      hasIpv6,
      listForwardPrefixes,
      resolve: sipResolver({ rules, hasIpv6, dnsServers }),
    };
    this.#post = customerPost({ rules, dnsServers });
    this.#secrets = new KeptSecrets(options);
    this.#server = new RedirectServer({ port, log, decide: (...asked) => this.#decide(...asked) });
  }

  async close(): Promise<void> {
    await this.#server.close();
    this.#secrets.close();
  }

  async #decide(question: CallQuestion, hungUp: AbortSignal): Promise<Verdict> {
    if (this.#openInAll >= MOST_OPEN.all) return this.#fallBack("all", "Too many requests are in progress.");
    this.#openInAll += 1;
    const timeout = AbortSignal.timeout(this.#answerMs);
    const signal = AbortSignal.any([hungUp, timeout]);
    let organisationId = question.numberId;
    try {
      const signer = await orAborted(this.#secrets.signerOf(question.numberId), signal);
      organisationId = signer.organisationId;
      return await this.#ask(question, signer, signal);
    } catch (error) {
      if (hungUp.aborted) return { verb: "fall_back" };
      return this.#fallBack(
        organisationId,
        timeout.aborted ? `No response within ${this.#answerMs} ms.` : textOf(error),
      );
    } finally {
      this.#openInAll -= 1;
    }
  }

  async #ask(
    question: CallQuestion,
    { organisationId, secrets }: { organisationId: string; secrets: string[] },
    signal: AbortSignal,
  ): Promise<Verdict> {
    const open = this.#open.get(organisationId) ?? 0;
    if (open >= MOST_OPEN.ofOrganisation)
      throw new Error("Too many requests of this organisation are in progress.");
    this.#open.set(organisationId, open + 1);
    try {
      const message = messageOf(question, secrets, new Date());
      const asking = this.#post(question.url, message, { maxBytes: MOST_BYTES, signal });
      const { status, body } = await orAborted(asking, signal);
      return await orAborted(verdictOf(this.#needs, question, status, body), signal);
    } finally {
      const left = this.#open.get(organisationId)! - 1;
      if (left > 0) this.#open.set(organisationId, left);
      else this.#open.delete(organisationId);
    }
  }

  #fallBack(whose: string, why: string): Verdict {
    const said = this.#said.get(whose);
    const nowMs = performance.now();
    if (said && nowMs - said.atMs < LOG_EVERY_MS) said.count += 1;
    else {
      this.#log.warn(
        { whose, why, before: said?.count ?? 0 },
        "routing webhook failed; call uses its fallback",
      );
      this.#said.set(whose, { atMs: nowMs, count: 0 });
    }
    return { verb: "fall_back" };
  }
}

/** Standard Webhooks: a signature for each secret that is good now, so that customers can change over in their own time. */
function messageOf(
  { numberId, number, caller, callId }: CallQuestion,
  secrets: readonly string[],
  at: Date,
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify({
    number_id: numberId,
    to: number,
    from: caller,
    call_id: callId,
    at: at.toISOString(),
  });
  const seconds = Math.floor(at.getTime() / 1_000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    return `v1,${createHmac("sha256", key).update(`${callId}.${seconds}.${body}`).digest("base64")}`;
  });
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": "Dialplane-Routing",
    "webhook-id": callId,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  };
  return { body, headers };
}

/** Work continues after the abort, within its own limits. */
function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", stop));
}
