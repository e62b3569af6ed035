import type { Readable } from "node:stream";
import type { Static, TSchema } from "typebox";
import type { OrganisationTx } from "../db/database.ts";
import type { NotFoundCode } from "../api-error.ts";
import type { ErrorCode } from "../error-catalogue.ts";
import type { KeyedRequest } from "../idempotency/idempotency-key.ts";
import type { WireAnswer } from "../idempotency/idempotency.ts";
import type { Access, Actor, Caller, Origin, SessionCaller, SwitchCaller } from "./access.ts";

/** Validated request and its caller, as a handler gets them. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  params: Params;
  query: Query;
  body: Body;
  origin: Origin;
  /** Absent only where anyone may call. */
  caller: Caller | undefined;
  /** Present where the operation acts within an organisation. */
  actor: Actor | undefined;
  /** Environment of the caller if no organisation is involved. Otherwise absent. */
  environment: Actor["environment"] | undefined;
  /** Present where a switch calls. */
  switch: SwitchCaller | undefined;
  /** Cookie that a browser got when it started a sign-in at an identity provider. */
  signInToken: string | undefined;
  /** Cookie that a browser got at an earlier sign-in. */
  deviceToken: string | undefined;
  /** The tags of If-Match; absent without one and with `*`. */
  ifMatch: readonly string[] | undefined;
  /** The Idempotency-Key, for what keeps it longer than answers are kept; absent without one. */
  key: string | undefined;
  /** Present if the response is an event stream. */
  following: { lastEventId: string | undefined; hasPlace: boolean } | undefined;
  /** Rejects a caller who has lost access since the start, for long responses. */
  admitted(): Promise<void>;
}
export interface Answer {
  status: number;
  body?: unknown;
  /** A body that is JSON already, as the database made it. */
  json?: string;
  /** A body of the operation's own media type, sent as it comes. */
  stream?: Readable;
  headers?: Record<string, string>;
  /** Set-Cookie lines. */
  cookies?: string[];
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface Description {
  /** One name in HTTP, function, SDK and CLI. */
  id: string;
  method: Method;
  /** Path as in the contract: /v1/members/{id}. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** Success answers by status; null if there is no body. */
  answers: Record<number, TSchema | null>;
  /** Errors of this operation's own, beyond those its declaration implies. */
  errors?: readonly ErrorCode[];
  /** Error for a path without a matching row. Required if the path has a parameter. */
  notFound?: NotFoundCode;
  /** `none`: the header has no effect. Only changes within an organisation can be keyed. */
  idempotency: "required" | "optional" | "none";
  http?: HttpOptions;
}

/** Options that few operations need. */
interface HttpOptions {
  /** The response carries a secret. */
  hasSecret?: true;
  /** The response has a Retry-After header while the work is in progress. */
  retryAfter?: true;
  /** Takes If-Match. The response carries an ETag. */
  conditional?: true;
  /** Media type of a streamed response. */
  media?: "application/x-ndjson" | "text/csv" | "text/event-stream";
  /** With `settle`: the condition that ends `Prefer: wait`, for "respond when …". */
  waitsFor?: string;
  /** Keys of this operation never expire. After 30 days, a repeated request is rejected with this member. */
  lateRepeatNames?: string;
  /** Limit of a request body that may be larger than usual. */
  maxBodyBytes?: number;
}

type In<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

interface Shapes<P, Q, B> {
  params?: P;
  query?: Q;
  body?: B;
}

/** If no key is allowed, the caller is a user. */
type CallerFor<A extends Access> = A extends { callers: "anyone" }
  ? A extends { session: "optional" }
    ? Caller | undefined
    : undefined
  : A extends { callers: "switch" }
    ? undefined
    : A extends { callers: "operator" } | { keys: "none" }
      ? SessionCaller
      : Caller;
type ActorFor<A extends Access> = A extends { callers: "organisation" } ? Actor : undefined;
type SwitchFor<A extends Access> = A extends { callers: "switch" } ? SwitchCaller : undefined;

type CallFor<A extends Access, P, Q, B> = Omit<Call<In<P>, In<Q>, In<B>>, "caller" | "actor" | "switch"> & {
  caller: CallerFor<A>;
  actor: ActorFor<A>;
  switch: SwitchFor<A>;
};

export interface KeyedAnswer {
  answer: WireAnswer;
  isReplay: boolean;
}

/**
 * Either `run`, which opens what transactions it needs; or `change`, whose one transaction also holds the
 * idempotency key; or `keyed`, which keeps the key itself, for what must be one round trip.
 */
type Work<App, A extends Access, P, Q, B> =
  | { run(app: App, call: CallFor<A, P, Q, B>): Promise<Answer>; change?: never; keyed?: never }
  | (A extends { callers: "organisation" }
      ?
          | {
              change(tx: OrganisationTx, call: CallFor<A, P, Q, B>, app: App): Promise<Answer>;
              /**
               * Whether the path names something here. Needed where a change with a path can be keyed: asked when
               * the key is another request's, for that must not hide what is not there.
               */
              isVisible?(tx: OrganisationTx, call: CallFor<A, P, Q, B>): Promise<boolean>;
              /** Asks the network what it has to say, while no transaction waits for it. */
              prepare?(app: App, call: CallFor<A, P, Q, B>): Promise<void>;
              run?: never;
              keyed?: never;
            }
          | {
              keyed(app: App, call: CallFor<A, P, Q, B>, request: KeyedRequest): Promise<KeyedAnswer>;
              run?: never;
              change?: never;
            }
      : never);

/**
 * With `Prefer: wait`: returns the response once the change is in effect or the time is up. `first` is the
 * JSON of the first response to a change.
 */
interface Settling<App, A extends Access, P, Q, B> {
  settle?(app: App, call: CallFor<A, P, Q, B>, until: AbortSignal, first: string): Promise<Answer>;
}

/**
 * Throws if the caller lacks a right to part of the request, or if this installation cannot do the work at all. Runs twice
 * before validation: without the body as soon as the caller is known, and with it when it was read.
 */
interface Prechecked<App> {
  precheck?(request: Unchecked, app: App): void;
}

/** A request that was not validated yet. */
interface Unchecked {
  body: unknown;
  query: unknown;
  actor: Actor;
}

export interface Operation<App> extends Prechecked<App>, Description, Shapes<TSchema, TSchema, TSchema> {
  access: Access;
  run?(app: App, call: never): Promise<Answer>;
  change?(tx: OrganisationTx, call: never, app: App): Promise<Answer>;
  isVisible?(tx: OrganisationTx, call: never): Promise<boolean>;
  prepare?(app: App, call: never): Promise<void>;
  keyed?(app: App, call: never, request: KeyedRequest): Promise<KeyedAnswer>;
  settle?(app: App, call: never, until: AbortSignal, first: string): Promise<Answer>;
}

/** Typed at the definition, uniform in the table of routes. */
export function operationsOf<App>() {
  return function operation<
    const A extends Access,
    P extends TSchema | undefined = undefined,
    Q extends TSchema | undefined = undefined,
    B extends TSchema | undefined = undefined,
  >(
    definition: Description &
      Shapes<P, Q, B> & { access: A } & Work<App, A, P, Q, B> &
      Settling<App, A, P, Q, B> &
      Prechecked<App>,
  ): Operation<App> {
    return definition as unknown as Operation<App>;
  };
}
