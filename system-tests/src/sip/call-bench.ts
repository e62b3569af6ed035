import { newAddress } from "./loopback.ts";
import type { Phone, PhoneOptions } from "./phone.ts";
import { openPhone } from "./phone.ts";
import type { RecordRow } from "./record-rows.ts";
import type { Call, CallOptions } from "./sip-call.ts";
import { placeCall } from "./sip-call.ts";
import type { SwitchProcess } from "./switch-process.ts";
import { startSwitch } from "./switch-process.ts";
import { until } from "./until.ts";

/** A synchronised switch, a caller with a known trunk, and any number of other phones. */
export interface CallBench extends AsyncDisposable {
  kamailio: SwitchProcess;
  caller: Phone;
  phone(options?: PhoneOptions, address?: string): Promise<Phone>;
  /** A number that nothing else uses, with calls going where the row says; see docs/kamailio-internals.md. */
  number(row: { mode: string; argument?: string; host?: string; fallback?: string }): Promise<string>;
  /** A number whose calls go to this phone. */
  numberTo(phone: Phone): Promise<string>;
  call(number: string, options?: CallOptions): Promise<Call>;
  /** The rows of a call, once there are as many as expected. That of the INVITE is first, although a busy process may write it last. */
  rowsOf(callId: string, count: number): Promise<RecordRow[]>;
}

export const uriOf = ({ transport }: Phone, user = "alice"): string =>
  `sip:${user}@${transport.address}:${transport.port};transport=${transport.kind}`;

/** Format in the table of hosts. */
export const addressOf = ({ transport }: Phone): string =>
  `${transport.address}:${transport.port};${transport.kind}`;

/** `settings` may need the caller's address, to say more of its trunk; `resolvConf` as for a switch. */
export async function openBench(
  settings: Record<string, unknown> | ((callerAddress: string) => Record<string, unknown>) = {},
  resolvConf?: string,
): Promise<CallBench> {
  const phones: Phone[] = [];
  const phone = async (options?: PhoneOptions, address = newAddress()): Promise<Phone> => {
    const opened = await openPhone(address, options);
    phones.push(opened);
    return opened;
  };
  const caller = await phone();
  const { address } = caller.transport;
  const kamailio = await startSwitch(
    [address],
    typeof settings === "function" ? settings(address) : settings,
    resolvConf,
  );
  await kamailio.mark({ synced: "1", complete: "1" });
  let last = 0;
  const number: CallBench["number"] = async ({ mode, argument = "", host = "", fallback = "||" }) => {
    last += 1;
    const called = `+4930${String(900_000 + last)}`;
    await kamailio.set("rt", {
      [called]: `${mode}|7|${last % 4}|id-${last}|${argument}|${host}|${fallback}`,
    });
    return called;
  };
  return {
    kamailio,
    caller,
    phone,
    number,
    numberTo: (callee) => number({ mode: "u", argument: uriOf(callee) }),
    call: (called, options) => placeCall(caller, kamailio.at, called, options),
    rowsOf: async (callId, count) => {
      const isLater = ({ method }: RecordRow): number => (method === "INVITE" ? 0 : 1);
      const rows = (): RecordRow[] =>
        kamailio
          .rows()
          .filter((row) => row.callId === callId)
          .sort((one, other) => isLater(one) - isLater(other));
      return until(`${count} rows`, () => rows().length >= count && rows());
    },
    [Symbol.asyncDispose]: async () => {
      await kamailio[Symbol.asyncDispose]();
      for (const opened of phones) await opened.close();
    },
  };
}
