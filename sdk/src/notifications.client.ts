import type { CallOptions } from "./transport.ts";
import type { Body, WireApi } from "./wire-api.ts";

/** Rules that send mail or events when a problem begins and when it ends. For owners and admins. */
export function notificationsClient(api: WireApi) {
  return {
    get: (options?: CallOptions) => api.call("getNotifications", {}, options),
    /** Replaces all rules. */
    set: (body: Body<"setNotifications">, options?: CallOptions) =>
      api.call("setNotifications", { body }, options),
  };
}
