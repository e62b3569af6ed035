import type { CallDetail, CallPage, Connection } from "@dialplane/sdk";
import type { ReactNode } from "react";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { wordFor } from "../components/shared-text.ts";
import { callsText } from "./calls-text.ts";

export type FoundCall = CallPage["data"][number];
/** A call without its number, which calls of the whole installation may not have. */
export type CallEvidence = Omit<CallDetail, "number_id" | "e164">;

const E164 = /^\+\d+$/;

/** Caller as plain text. A call without Call-ID is older than the retention period of callers. */
export function callerText({
  caller,
  caller_raw,
  sip_call_id,
}: Pick<FoundCall, "caller" | "caller_raw" | "sip_call_id">): string {
  return caller ?? caller_raw ?? (sip_call_id === null ? callsText.expired : callsText.withheld);
}

export function Caller({ call }: { call: Parameters<typeof callerText>[0] }) {
  if (call.caller && E164.test(call.caller)) return <PhoneNumber e164={call.caller} />;
  const isKnown = call.caller ?? call.caller_raw;
  return <span className={isKnown ? "break-all" : "text-ink-3"}>{callerText(call)}</span>;
}

interface WentToProps {
  call: Omit<FoundCall, "number_id" | "e164">;
  connections: readonly Connection[];
}

/** Connection or target of the call. The reason if it reached none. */
export function WentTo({ call, connections }: WentToProps) {
  const { attempts, step, reason } = call;
  const name = targetName(call, connections);
  if (name === undefined)
    return (
      <span className="text-ink-3">
        {reason ? (callsText.reasons[reason] ?? wordFor(reason)) : callsText.absent}
      </span>
    );
  const notes = [
    call.connection_id && attempts.at(-1)?.host,
    call.mode === "forward" && callsText.forwarded,
    step !== null && step > 1
      ? callsText.step(step)
      : attempts.length > 1 && callsText.targetsTried(attempts.length),
  ].filter(Boolean);
  return (
    <>
      {call.misrouted ? (
        <span className="text-bad">
          <TargetName name={name} />
        </span>
      ) : (
        <TargetName name={name} />
      )}
      {notes.length > 0 && <span className="text-xs text-ink-3"> {notes.join(", ")}</span>}
    </>
  );
}

/** A connection's name, a phone number in groups, or an address in monospace. */
export function TargetName({ name }: { name: string }): ReactNode {
  if (E164.test(name)) return <PhoneNumber e164={name} />;
  return /^sips?:/.test(name) ? <code className="font-mono text-xs">{name}</code> : name;
}

/** The connection's name is shorter than its target, and the same for all its targets. */
export function targetName(
  { connection_id, target }: Pick<FoundCall, "connection_id" | "target">,
  connections: readonly Connection[],
): string | undefined {
  const connection = connections.find(({ id }) => id === connection_id);
  return connection?.name ?? target ?? (connection_id ? callsText.aConnection : undefined);
}
