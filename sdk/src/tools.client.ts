import type { CallOptions } from "./transport.ts";
import type { Body, WireApi } from "./wire-api.ts";

/** How tools, such as a command line, get a session: through the browser next to them, or by a typed code. */
export function toolsClient(api: WireApi) {
  return {
    /** Said by the person, in the dashboard. */
    letIn: (body: Body<"authoriseTool">, options?: CallOptions) =>
      api.call("authoriseTool", { body }, options),
    redeemCode: (body: Body<"redeemCode">, options?: CallOptions) =>
      api.call("redeemCode", { body }, options),

    beginDeviceSignIn: (body: Body<"beginDeviceSignIn">, options?: CallOptions) =>
      api.call("beginDeviceSignIn", { body }, options),
    redeemDevice: (body: Body<"redeemDevice">, options?: CallOptions) =>
      api.call("redeemDevice", { body }, options),
    /** Details that the user sees before the decision. */
    lookUpDevice: (body: Body<"lookUpDevice">, options?: CallOptions) =>
      api.call("lookUpDevice", { body }, options),
    approveDevice: (body: Body<"approveDevice">, options?: CallOptions) =>
      api.call("approveDevice", { body }, options),
    denyDevice: (body: Body<"denyDevice">, options?: CallOptions) =>
      api.call("denyDevice", { body }, options),
  };
}
