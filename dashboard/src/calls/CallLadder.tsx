import { Section } from "../components/Section.tsx";
import { type Ladder, type LadderMessage, ladderOf } from "./call-ladder.ts";
import { callText } from "./call-text.ts";
import type { CallEvidence } from "./CallParties.tsx";

const EDGE = 80;
const TIMES = 80;
const HEAD = 28;
const ROW = 26;
const COLOURS = { plain: "var(--ink-2)", good: "var(--good)", bad: "var(--bad)" };

/** Messages between caller, switch and targets, drawn from the attempts of the call. */
export function CallLadder({ call }: { call: CallEvidence }) {
  const ladder = ladderOf(call);
  return (
    <Section title={callText.ladder} count={callText.ladderFrom}>
      <div
        role="region"
        aria-label={callText.ladderDrawing}
        tabIndex={0}
        className="overflow-x-auto rounded-lg border border-line px-2 py-3"
      >
        <Drawing ladder={ladder} />
      </div>
      <MessageTable ladder={ladder} />
      <p className="text-xs text-ink-2">{callText.noTrace(call.switch)}</p>
    </Section>
  );
}

/** Two or three lanes fill the page, more are closer. */
const laneWidth = (lanes: number): number => (lanes > 3 ? 190 : 245);
const xIn =
  (lanes: number) =>
  (lane: number): number =>
    EDGE + lane * laneWidth(lanes);
const yOf = (row: number): number => HEAD + 18 + row * ROW;

function Drawing({ ladder: { lanes, messages } }: { ladder: Ladder }) {
  const xOf = xIn(lanes.length);
  const width = xOf(lanes.length - 1) + EDGE + TIMES;
  const height = yOf(messages.length);
  return (
    <svg
      role="img"
      aria-label={callText.ladderImage(messages.length, lanes.join(callText.and))}
      viewBox={`0 0 ${width} ${height}`}
      style={{ minWidth: width * 0.85, maxWidth: width }}
      className="mx-auto block w-full"
    >
      {lanes.map((lane, at) => (
        <g key={lane}>
          <text x={xOf(at)} y={14} textAnchor="middle" className="fill-ink text-xs font-name">
            {shortLane(lane)}
          </text>
          <line x1={xOf(at)} x2={xOf(at)} y1={HEAD - 4} y2={height - 8} stroke="var(--line-2)" />
        </g>
      ))}
      {messages.map((message, row) => (
        <Arrow key={row} {...{ message, xOf }} y={yOf(row)} timeAt={width - 8} />
      ))}
    </svg>
  );
}

/** The first label of a host name. IP addresses stay complete. */
function shortLane(lane: string): string {
  return /^[\d.:[]/.test(lane) ? lane : lane.split(".")[0]!;
}

interface ArrowProps {
  message: LadderMessage;
  xOf(lane: number): number;
  y: number;
  timeAt: number;
}

function Arrow({ message, xOf, y, timeAt }: ArrowProps) {
  const { from, to, label, tone, at } = message;
  const colour = COLOURS[tone];
  const towards = to > from ? 1 : -1;
  const [start, end] = [xOf(from) + 2 * towards, xOf(to) - 3 * towards];
  const back = end - 6 * towards;
  return (
    <>
      <line x1={start} x2={end} y1={y} y2={y} stroke={colour} />
      <path d={`M${back} ${y - 3.5}L${end} ${y}L${back} ${y + 3.5}`} fill="none" stroke={colour} />
      <text
        x={(start + end) / 2}
        y={y - 5}
        textAnchor="middle"
        fill={colour}
        stroke="var(--surface)"
        strokeWidth="4"
        paintOrder="stroke"
        className="font-mono text-2xs"
      >
        {label}
      </text>
      <text x={timeAt} y={y + 4} textAnchor="end" className="fill-ink-3 font-mono text-2xs">
        {millisecondsText(at)}
      </text>
    </>
  );
}

export function millisecondsText(ms: number): string {
  return callText.milliseconds(ms.toLocaleString("en-GB"));
}

/** The drawing for screen readers. A hidden table alone would widen the page, because tables do not shrink. */
function MessageTable({ ladder: { lanes, messages } }: { ladder: Ladder }) {
  const { columns } = callText;
  return (
    <div className="sr-only">
      <table>
        <caption>{callText.ladderTable}</caption>
        <thead>
          <tr>
            {[columns.at, columns.from, columns.to, columns.message].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {messages.map(({ at, from, to, label }, row) => (
            <tr key={row}>
              <td>{millisecondsText(at)}</td>
              <td>{lanes[from]}</td>
              <td>{lanes[to]}</td>
              <td>{label}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
