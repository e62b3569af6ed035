import { readWebhookUrl } from "../kamailio/route-steps.ts";
import { only, type SipRequest } from "./sip-request.ts";

/** A call that a customer's routing webhook decides, as the switch sends it. */
export interface CallQuestion {
  numberId: string;
  number: string;
  url: string;
  /** Caller from the From header. Null if there is none. */
  caller: string | null;
  /** ID of the call's record. */
  callId: string;
  /** Has been forwarded by us before: again would be a circle. */
  isForwarded: boolean;
}

/** Undefined if a header is missing, malformed or occurs twice. */
export function questionOf(invite: SipRequest): CallQuestion | undefined {
  const said = (name: string): string => only(invite, `x-dialplane-${name}`) ?? "";
  const [number, numberId, url] = [said("number"), said("number-id"), readWebhookUrl(said("url"))];
  const record = /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/.exec(said("record"));
  if (!/^\+[1-9]\d{6,14}$/.test(number) || numberId === "" || url === "" || !record) return undefined;
  return {
    numberId,
    number,
    url,
    caller: callerOf(only(invite, "from") ?? ""),
    callId: record.slice(1).join("-"),
    isForwarded:
      invite.headers.has("x-dialplane-forwarded") ||
      (invite.headers.get("diversion") ?? []).some((value) => value.includes(`sip:${number}@`)),
  };
}

function callerOf(from: string): string | null {
  const user = /^(?:"(?:[^"\\]|\\.)*"\s*|[^"<]*)<?(?:sips?|tel):([^@;>]{1,255})/i.exec(from)?.[1];
  return user === undefined || !/^[\x21-\x7e]+$/.test(user) ? null : user;
}
