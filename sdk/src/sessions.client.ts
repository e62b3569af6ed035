import type { CallOptions } from "./transport.ts";
import type { Body, WireApi } from "./wire-api.ts";

/** Signing in and out. A browser keeps the session in a cookie. */
export function sessionsClient(api: WireApi) {
  return {
    signIn: (body: Body<"signIn">, options?: CallOptions) => api.call("signIn", { body }, options),
    signInWithCode: (body: Body<"signInWithCode">, options?: CallOptions) =>
      api.call("signInWithCode", { body }, options),
    /** Gives what `navigator.credentials.get` needs. */
    askForPasskey: (options?: CallOptions) => api.call("askForPasskey", {}, options),
    signInWithPasskey: (body: Body<"signInWithPasskey">, options?: CallOptions) =>
      api.call("signInWithPasskey", { body }, options),
    /** Where to send the browser; null if no organisation signs people of that domain in. */
    beginWithProvider: (body: Body<"beginProviderSignIn">, options?: CallOptions) =>
      api.call("beginProviderSignIn", { body }, options),
    signInWithProvider: (body: Body<"signInWithProvider">, options?: CallOptions) =>
      api.call("signInWithProvider", { body }, options),
    list: (options?: CallOptions) => api.list("listSessions", {}, options),
    /** Allows operations that require a recent reauthentication for 10 minutes. */
    reauthenticate: (body: Body<"reauthenticate">, options?: CallOptions) =>
      api.call("reauthenticate", { body }, options),
    reauthenticateWithCode: (body: Body<"reauthenticateWithCode">, options?: CallOptions) =>
      api.call("reauthenticateWithCode", { body }, options),
    reauthenticateWithPasskey: (body: Body<"reauthenticateWithPasskey">, options?: CallOptions) =>
      api.call("reauthenticateWithPasskey", { body }, options),
    signOut: (options?: CallOptions) => api.call("signOut", {}, options),
    end: (id: string, options?: CallOptions) => api.call("endSession", { path: { id } }, options),
  };
}
