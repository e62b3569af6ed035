import type { Static, TSchema } from "typebox";
import type { OrganisationTx } from "../db/database.ts";
import type { ErrorCode } from "../error-catalogue.ts";
import type { Access, Actor, Caller, Origin, SessionCaller } from "./access.ts";

/** What a handler is given: the request, checked, and who makes it. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  params: Params;
  query: Query;
  body: Body;
  origin: Origin;
  /** Absent only where anyone may call. */
  caller: Caller | undefined;
  /** Present where the operation acts within an organisation. */
  actor: Actor | undefined;
  /** The side a caller looks at where no organisation is involved; absent elsewhere. */
  environment: Actor["environment"] | undefined;
}
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface Description {
  /** One name in HTTP, function, SDK and CLI. */
  id: string;
  method: Method;
  /** As in the contract: /v1/members/{id}. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** Success answers by status; null where there is no body. */
  answers: Record<number, TSchema | null>;
  /** Refusals of this operation's own, beyond those its declaration implies. */
  refusals?: readonly ErrorCode[];
  /** What a path without a matching row answers; required as soon as the path has a parameter. */
  notFound?: ErrorCode;
  /** `none`: the header has no effect. Only changes within an organisation can be keyed. */
  idempotency: "required" | "optional" | "none";
  /** The answer carries a secret that is shown once. */
  answersSecret?: true;
}

type In<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

interface Shapes<P, Q, B> {
  params?: P;
  query?: Q;
  body?: B;
}

/** Where no key is let in, the caller is a person. */
type CallerFor<A extends Access> = A extends { callers: "anyone" }
  ? A extends { session: "optional" }
    ? Caller | undefined
    : undefined
  : A extends { callers: "operator" } | { keys: "none" }
    ? SessionCaller
    : Caller;
type ActorFor<A extends Access> = A extends { callers: "organisation" } ? Actor : undefined;

type CallFor<A extends Access, P, Q, B> = Omit<Call<In<P>, In<Q>, In<B>>, "caller" | "actor"> & {
  caller: CallerFor<A>;
  actor: ActorFor<A>;
};

/** Either `run`, which opens what transactions it needs, or `change`, whose one transaction also holds the idempotency key. */
type Work<App, A extends Access, P, Q, B> =
  | { run(app: App, call: CallFor<A, P, Q, B>): Promise<Answer>; change?: never }
  | (A extends { callers: "organisation" }
      ? { change(tx: OrganisationTx, call: CallFor<A, P, Q, B>, app: App): Promise<Answer>; run?: never }
      : never);

export interface Operation<App> extends Description, Shapes<TSchema, TSchema, TSchema> {
  access: Access;
  run?(app: App, call: never): Promise<Answer>;
  change?(tx: OrganisationTx, call: never, app: App): Promise<Answer>;
}

/** Typed at the definition, uniform in the table of routes. */
export function operationsOf<App>() {
  return function operation<
    const A extends Access,
    P extends TSchema | undefined = undefined,
    Q extends TSchema | undefined = undefined,
    B extends TSchema | undefined = undefined,
  >(definition: Description & Shapes<P, Q, B> & { access: A } & Work<App, A, P, Q, B>): Operation<App> {
    return definition as unknown as Operation<App>;
  };
}
