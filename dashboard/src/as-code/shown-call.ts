import type { Operations as OwnOperations } from "@dialplane/sdk";
import type { Operations as OperatorOperations } from "@dialplane/sdk/operator";
import type { OperatorOperation, OwnOperation, RECIPES, ShownOperation } from "./code-recipes.ts";

type Operations = Pick<OwnOperations, OwnOperation> & Pick<OperatorOperations, OperatorOperation>;

/** Parameters of an operation. The query is optional. */
type Parts<Of extends ShownOperation> = {
  [Part in "path" | "body" as Operations[Of][Part] extends undefined ? never : Part]: Operations[Of][Part];
} & {
  [Part in "query" as Operations[Of][Part] extends undefined ? never : Part]?:
    | Operations[Of][Part]
    | undefined;
};

/** A call that programs cannot make shows only its name. */
export type CallOf<Of extends ShownOperation> = {
  operation: Of;
  /** Sent as `If-Match`. */
  ifGeneration?: number;
} & (Of extends OwnOperation
  ? (typeof RECIPES)[Of]["callers"] extends "browser"
    ? object
    : Parts<Of>
  : Parts<Of>);

/** A call as a page makes it. All code samples derive from it. */
export type ShownCall = { [Of in ShownOperation]: CallOf<Of> }[ShownOperation];

/** A call of any operation. */
export interface AnyCall {
  operation: ShownOperation;
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  body?: unknown;
  ifGeneration?: number;
}

/** Target of the call. Calls of operators have no organisation. */
export interface CallPlace {
  origin: string;
  inside?: { organisation: string; environment: "live" | "test" } | undefined;
}
