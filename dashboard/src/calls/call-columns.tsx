import type { DataColumn } from "../components/DataTable.tsx";
import { Caller } from "./CallParties.tsx";
import { CallResult } from "./CallResult.tsx";
import { callsText } from "./calls-text.ts";

/** Place of the start of a call. On narrow screens it is at the end of the second line. */
export const STARTED = {
  title: callsText.columns.started,
  className:
    "whitespace-nowrap tabular-nums max-lg:order-4 max-lg:text-right max-lg:text-xs max-lg:text-ink-3",
};

export const RESULT: DataColumn<Parameters<typeof CallResult>[0]["call"]> = {
  title: callsText.columns.result,
  className: "whitespace-nowrap max-lg:order-2 max-lg:text-right",
  cell: (call) => <CallResult call={call} />,
};

export const CALLER: DataColumn<Parameters<typeof Caller>[0]["call"]> = {
  title: callsText.columns.caller,
  className: "max-lg:order-1 max-lg:truncate max-lg:font-name lg:whitespace-nowrap",
  cell: (call) => <Caller call={call} />,
};
