import { sharedText } from "./shared-text.ts";

/** Progress as a bar and a figure, also for screen readers. */
export function ProgressBar({ label, done, total }: { label: string; done: number; total: number }) {
  return (
    <div className="grid gap-1">
      <div className="flex justify-between gap-3 text-sm">
        <span className="font-medium">{label}</span>
        <span className="text-ink-2 tabular-nums">{sharedText.progress(done, total)}</span>
      </div>
      <progress
        aria-label={label}
        value={done}
        max={Math.max(total, 1)}
        className="h-1.5 w-full appearance-none overflow-hidden rounded-full [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent"
      />
    </div>
  );
}
