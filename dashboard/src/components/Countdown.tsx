import { useEffect, useState } from "react";

interface CountdownProps {
  until: string;
  onOver(): void;
}

/** Remaining minutes and seconds. Calls `onOver` once at zero. */
export function Countdown({ until, onOver }: CountdownProps) {
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
  const hasEnded = left === 0;
  useEffect(() => {
    if (hasEnded) {
      onOver();
      return;
    }
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [hasEnded]);
  return (
    <span role="timer" className="font-medium tabular-nums">
      {Math.floor(left / 60)}:{String(left % 60).padStart(2, "0")}
    </span>
  );
}
