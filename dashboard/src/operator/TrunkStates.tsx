import { type AnyState, switchDifferences } from "./trunk-differences.ts";
import { TrunkStatus } from "./TrunkStatus.tsx";
import { trunksText } from "./trunks-text.ts";

/** Switches that do not hold the desired value, with the values that differ. */
export function TrunkStates({ states }: { states: readonly AnyState[] }) {
  const others = states.filter(({ status }) => status !== "applied");
  if (others.length === 0) return null;
  return (
    <ul className="grid gap-2 rounded-md bg-sunken p-3">
      {others.map((state) => (
        <li key={state.switch_id} className="grid gap-1 text-xs">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-medium">{state.name}</span>
            <TrunkStatus status={state.status} />
            {state.error && <span className="break-words text-ink-2">{state.error}</span>}
          </div>
          <StateDifferences state={state} />
        </li>
      ))}
    </ul>
  );
}

function StateDifferences({ state }: { state: AnyState }) {
  const differences = switchDifferences(state);
  if (differences.length === 0) return null;
  return (
    <dl className="grid gap-1">
      {differences.map(({ field, found, expected }) => (
        <div key={field} className="flex flex-wrap gap-x-2">
          <dt className="text-ink-2">{field}:</dt>
          <dd className="break-words">{trunksText.foundInsteadOf(found, expected)}</dd>
        </div>
      ))}
    </dl>
  );
}
