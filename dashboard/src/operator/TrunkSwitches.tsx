import type { TrunkList } from "@dialplane/sdk/operator";
import { Link } from "@tanstack/react-router";
import { Section } from "../components/Section.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { TrunkStatus } from "./TrunkStatus.tsx";
import { trunksText } from "./trunks-text.ts";

/** Switches of the group: which list each uses, and trunks that it should not hold. */
export function TrunkSwitches({ list }: { list: TrunkList }) {
  return (
    <Section title={trunksText.onSwitches}>
      {list.switches.length === 0 ? (
        <p className="text-sm text-ink-2">{trunksText.noSwitches}</p>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {list.switches.map((one) => (
            <Row key={one.id} one={one} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Row({ one }: { one: TrunkList["switches"][number] }) {
  const source = trunksText.source[one.source ?? "none"];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <div className="grid min-w-0 grow basis-48">
        <Link
          to="/operator/switches/$switch"
          params={{ switch: one.id }}
          className="w-fit rounded font-medium hover:underline"
        >
          {one.name}
        </Link>
        <p className="text-xs text-ink-2">{source}</p>
        {one.file_trunks.length > 0 && (
          <p className="text-xs break-words text-ink-2">{trunksText.fileTrunks(namesOf(one.file_trunks))}</p>
        )}
        {one.unexpected_trunks.length > 0 && (
          <p className="text-xs font-medium break-words text-bad">
            {trunksText.unexpected(namesOf(one.unexpected_trunks))}
          </p>
        )}
        {one.unexpected_forwarding && (
          <p className="text-xs font-medium text-bad">{trunksText.unexpectedForwarding}</p>
        )}
      </div>
      {one.observed_at && (
        <span className="text-xs text-ink-2">
          <RelativeTime at={one.observed_at} />
        </span>
      )}
      {one.status && <TrunkStatus status={one.status} />}
    </li>
  );
}

function namesOf(trunks: readonly { name: string; sources: string[] }[]): string {
  return trunks
    .map(({ name, sources }) => (sources.length > 0 ? `${name} (${sources.join(", ")})` : name))
    .join(", ");
}
