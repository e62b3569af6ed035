import type { TrunkList } from "@dialplane/sdk/operator";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { Section } from "../components/Section.tsx";
import { TrunkForwardingDialog } from "./TrunkForwardingDialog.tsx";
import { TrunkStates } from "./TrunkStates.tsx";
import { TrunkStatus } from "./TrunkStatus.tsx";
import { trunksText } from "./trunks-text.ts";

/** Trunks that take forwarded calls, with limits for each number. */
export function TrunkForwardingSection({ list, group }: { list: TrunkList; group: string }) {
  const [isEditing, setEditing] = useState(false);
  const { forwarding } = list;
  return (
    <Section
      title={trunksText.forwarding}
      aside={
        <Button size="small" onClick={() => setEditing(true)}>
          {trunksText.forwardingEdit}
        </Button>
      }
    >
      {forwarding ? (
        <div className="grid gap-2 rounded-lg border border-line bg-surface p-4 text-sm">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <span className="font-medium break-words">
              {trunksText.forwardingGateways(
                forwarding.gateways.map(({ trunk }) => trunk).join(", "),
                forwarding.prefixes.join(", "),
              )}
            </span>
            <TrunkStatus status={forwarding.status} />
          </div>
          <p className="text-xs text-ink-2">
            {trunksText.forwardingLimits(forwarding.calls_per_minute, forwarding.calls_at_once)}
          </p>
          <TrunkStates states={forwarding.states} />
        </div>
      ) : (
        <p className="text-sm text-ink-2">{trunksText.forwardingNone}</p>
      )}
      {isEditing && <TrunkForwardingDialog list={list} group={group} onClose={() => setEditing(false)} />}
    </Section>
  );
}
