import { type Static, Type } from "typebox";
import { DateTime, described, Id, nullable, shape } from "../../platform/http/shapes.ts";

const Text = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, description, examples: [example] });
const Status = nullable(
  Type.Integer({
    minimum: 100,
    maximum: 699,
    format: "int32",
    description: "SIP status. `null` if there was none.",
  }),
);
const Milliseconds = Type.Integer({
  minimum: 0,
  maximum: 600_000,
  format: "int32",
  description: "Duration in milliseconds.",
});
const ProbeId = described(Id, "ID of the probe.");

export const PlacedProbe = shape("PlacedProbe", {
  probe_id: ProbeId,
  code: Status,
  has_rung: Type.Boolean({ description: "Whether the call rang." }),
  took_ms: Milliseconds,
});
export type PlacedProbe = Static<typeof PlacedProbe>;

export const SeenProbe = shape("SeenProbe", {
  probe_id: ProbeId,
  at: described(DateTime, "Time when the call ended."),
  trunk: nullable(Text(100, "Trunk that the call came by. `null` if the switch placed it itself.", "acme")),
  code: Type.Integer({ minimum: 100, maximum: 699, format: "int32", description: "SIP status of the call." }),
  reason: nullable(
    Text(64, "`probe` if the switch would have sent the call on. Otherwise why it rejected it.", "probe"),
  ),
  mode: nullable(Text(20, "Mode of the route.", "sip_uri")),
  generation: nullable(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      format: "int64",
      description: "Generation of the route.",
    }),
  ),
  target: nullable(Text(500, "Target of the route.", "sip:alice@sbc1.example.com")),
  address: nullable(Text(300, "Address that the call would have gone to.", "198.51.100.20:5060")),
  transport: nullable(Text(10, "Transport of that address.", "udp")),
  target_code: Status,
  target_ms: nullable(Milliseconds),
});
export type SeenProbe = Static<typeof SeenProbe>;

export const ProbeReport = shape("ProbeReport", {
  expecting: Type.Array(Id, { maxItems: 1_000, description: "Probes that the switch recognises now." }),
  placed: Type.Array(PlacedProbe, {
    maxItems: 1_000,
    description: "Probe calls that the switch has placed.",
  }),
  seen: Type.Array(SeenProbe, { maxItems: 1_000, description: "Probe calls that the switch has received." }),
});
export type ProbeReport = Static<typeof ProbeReport>;

const expected = {
  id: ProbeId,
  number: Text(16, "Called number, in E.164 format.", "+493010000001"),
  caller: nullable(
    Text(16, "Caller of the probe. `null` if it does not go through a carrier.", "+493010009999"),
  ),
  token: Text(64, "Value of the header `X-Dialplane-Probe`.", "q7Xv0cW2mT6tq2cJ7Xv0"),
};
export const ProbeTasks = shape("ProbeTasks", {
  expect: Type.Array(shape("ExpectedProbe", expected), {
    maxItems: 1_000,
    description: "Probes that the switch must recognise.",
  }),
  place: Type.Array(
    shape("ProbeToPlace", {
      ...expected,
      gateway: nullable(
        Text(100, "Trunk to the carrier. `null` if the call should enter this switch directly.", "acme"),
      ),
    }),
    { maxItems: 1_000, description: "Probe calls that the switch must place." },
  ),
});
export type ProbeTasks = Static<typeof ProbeTasks>;
