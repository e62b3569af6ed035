import type { Json } from "./contract.schemas.ts";
import { AT, E164, ID } from "./example-story.ids.ts";

const links = [
  {
    link: "switch",
    name: "fra-1",
    switch: "fra-1",
    status: "proved",
    detail: "The switch holds the route.",
    expected: null,
    found: null,
    took_ms: 4,
  },
  {
    link: "destination",
    name: "198.51.100.20:5060",
    switch: "fra-1",
    status: "proved",
    detail: "It replied 200 to OPTIONS.",
    expected: null,
    found: null,
    took_ms: 12,
  },
];
const probe = {
  id: ID.probe,
  number_id: ID.sales,
  e164: E164.sales,
  via: "switch",
  status: "proved",
  summary: "fra-1 → 198.51.100.20:5060, 200 after 12 ms",
  links,
  is_scheduled: false,
  created_at: AT.probed,
  ended_at: "2026-11-15T09:45:01.204Z",
};
const started = { ...probe, status: "running", summary: null, links: [], ended_at: null };
const schedule = {
  id: ID.probeSchedule,
  tag: "berlin",
  via: "switch",
  every_hours: 24,
  round_at: AT.probed,
  created_at: AT.probed,
  updated_at: AT.probed,
};
const policy = {
  organisation_id: ID.organisation,
  probes_per_day: 500,
  used_today: 12,
  updated_at: AT.officeAdded,
};
const caller = {
  switch_group_id: ID.switchGroup,
  trunk: "acme",
  caller: "+493010009999",
  updated_at: AT.officeAdded,
};
const expected = {
  id: ID.probe,
  number: E164.sales,
  caller: "+493010009999",
  token: "q7Xv0cW2mT6tq2cJ7Xv0",
};
const report = {
  expecting: [ID.probe],
  placed: [{ probe_id: ID.probe, code: 480, has_rung: false, took_ms: 840 }],
  seen: [
    {
      probe_id: ID.probe,
      at: AT.probed,
      trunk: "acme",
      code: 480,
      reason: "probe",
      mode: "sip_uri",
      generation: 3,
      target: "sip:alice@sbc1.example.com",
      address: "198.51.100.20:5060",
      transport: "udp",
      target_code: 200,
      target_ms: 12,
    },
  ],
};

/** Examples of probes, by title of their schema. */
export const PROBE_EXAMPLES: Readonly<Record<string, Json>> = {
  CreateProbe: { via: "switch" },
  Probe: probe,
  ProbePage: { data: [probe], next_cursor: null },
  CreateProbeSchedule: { tag: "berlin", every_hours: 24 },
  ProbeSchedule: schedule,
  ProbeScheduleList: { data: [schedule] },
  SetProbePolicy: { probes_per_day: 500 },
  ProbePolicy: policy,
  SetProbeCaller: { trunk: "acme", caller: "+493010009999" },
  ProbeCaller: caller,
  ProbeReport: report,
  ProbeTasks: { expect: [expected], place: [{ ...expected, gateway: "acme" }] },
};

export const PROBE_ANSWERS: Readonly<Record<string, Json>> = { createProbe: started };
