export const callsText = {
  title: "Calls",
  fileName: (e164: string) => `calls of ${e164}.csv`,
  none: "No calls yet. A call appears when it has ended and its switch has reported it.",
  showOlder: "Show older calls",
  caption: "Calls, newest first",
  columns: {
    started: "Started",
    result: "Result",
    caller: "Caller",
    target: "Target",
    talkTime: "Talk time",
  },
  callerExpired: "expired",
  sipCode: (code: number) => `SIP ${code}`,
  results: {
    answered: "Answered",
    busy: "Busy",
    no_answer: "No answer",
    cancelled: "Cancelled by caller",
    rejected: "Rejected",
    failed: "Failed",
  },
} as const;
