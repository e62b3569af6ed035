/** Texts of probes. */
export const probesText = {
  title: "Probe",
  description:
    "Shows how far calls to this number get. The switch ends the call before it reaches your phone system, so no phone rings.",
  via: "Path",
  vias: [
    { value: "switch", label: "Switches", hint: "Each switch tests its own route. Free of charge." },
    {
      value: "carrier",
      label: "Carrier",
      hint: "Calls the number through the carrier, at the price of a call.",
    },
  ] as const,
  place: "Place probe",
  again: "Probe again",
  running: "Waiting for the switches …",
  statuses: {
    proved: "Proved",
    broken: "Broken",
    failed: "Not completed",
    not_tested: "Not tested",
    running: "Running",
  } as Record<string, string>,
  links: { carrier: "Carrier", switch: "Switch", destination: "Destination" } as Record<string, string>,
  found: (found: string, expected: string) => `Found ${found}, expected ${expected}`,
  result: "Result",
  took: (ms: number) => `${ms} ms`,
};
