import { TriangleAlert } from "lucide-react";
import type { CallEvidence } from "./CallParties.tsx";
import { callText } from "./call-text.ts";

/** Both values in full, so that they can be compared. */
export function Misrouted({ call, expected }: { call: CallEvidence; expected: string | undefined }) {
  const values = [
    { name: callText.found, value: call.target },
    { name: callText.expected, value: expected ?? callText.noRoute },
  ];
  return (
    <section aria-label={callText.misrouted} className="grid gap-2 rounded-lg bg-warn-soft px-4 py-3">
      <h2 className="flex items-center gap-2 font-semibold text-warn">
        <TriangleAlert aria-hidden className="size-4 shrink-0" />
        {callText.misroutedSays(call.generation)}
      </h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        {values.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="text-ink-2">{name}</dt>
            <dd className="font-mono text-xs leading-5 break-all">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
