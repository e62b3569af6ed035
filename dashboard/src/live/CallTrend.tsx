import { useEffect, useRef, useState } from "react";
import { liveText } from "./live-text.ts";

const SAMPLE_MS = 1_000;
const MINUTE_MS = 60_000;
const MOST_MINUTES = 10;
/** A longer interval between two samples is a gap. */
const GAP_MS = 3 * SAMPLE_MS;
const HEIGHT = 100;

interface Sample {
  at: number;
  calls: number;
}

/** Active calls since the page was opened, up to 10 minutes. */
export function CallTrend({ calls, isStill }: { calls: number; isStill: boolean }) {
  const samples = useSamples(calls, isStill);
  const now = samples.at(-1)?.at ?? 0;
  const minutes = Math.min(MOST_MINUTES, Math.ceil((now - (samples[0]?.at ?? now)) / MINUTE_MS) || 1);
  const most = Math.max(0, ...samples.map((sample) => sample.calls));
  return (
    <figure className="grid gap-1 rounded-lg border border-line bg-surface p-3">
      <svg
        viewBox={`0 0 ${minutes * MINUTE_MS} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={liveText.trend(calls, most)}
        className="h-16 w-full text-accent"
      >
        <path
          d={pathOf(samples, now - minutes * MINUTE_MS, most)}
          fill="none"
          stroke="currentColor"
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="flex justify-between text-xs text-ink-2 tabular-nums">
        <span>{liveText.minutesAgo(minutes)}</span>
        <span>{liveText.maximum(most)}</span>
        <span>{liveText.now}</span>
      </figcaption>
    </figure>
  );
}

function useSamples(calls: number, isStill: boolean): readonly Sample[] {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const latest = useRef(calls);
  useEffect(() => {
    latest.current = calls;
  }, [calls]);
  useEffect(() => {
    if (isStill) return;
    const timer = setInterval(() => {
      const at = Date.now();
      setSamples((before) => [
        ...before.filter((sample) => sample.at > at - MOST_MINUTES * MINUTE_MS),
        { at, calls: latest.current },
      ]);
    }, SAMPLE_MS);
    return () => clearInterval(timer);
  }, [isStill]);
  return samples;
}

/** Draws steps, because calls start and end at once. Breaks the line at gaps. */
function pathOf(samples: readonly Sample[], from: number, most: number): string {
  const y = (calls: number): string => (HEIGHT - 2 - (calls / Math.max(most, 1)) * (HEIGHT - 4)).toFixed(1);
  return samples
    .map(({ at, calls }, index) => {
      const before = samples[index - 1];
      const isAfterGap = !before || at - before.at > GAP_MS;
      return isAfterGap ? `M${at - from} ${y(calls)}` : `H${at - from}V${y(calls)}`;
    })
    .join("");
}
