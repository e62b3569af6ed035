import type { Order } from "@dialplane/sdk";
import { CircleAlert, CircleCheck, CircleX, LoaderCircle, type LucideIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { exactly, shortMomentOf } from "../components/dates.ts";
import { Section } from "../components/Section.tsx";
import type { OpenPlace } from "../shell/use-place.ts";
import { SubmitDialog } from "./SubmitDialog.tsx";
import { evidenceText } from "./evidence-text.ts";
import { actionUntil, isOpen, type RequirementGroup, requirementGroups } from "./requirement-groups.ts";

const LOOKS: Record<string, { icon: LucideIcon; look: string }> = {
  missing: { icon: CircleAlert, look: "text-warn" },
  pending: { icon: LoaderCircle, look: "text-wait" },
  accepted: { icon: CircleCheck, look: "text-good" },
  rejected: { icon: CircleX, look: "text-bad" },
};

/** Evidence that the carrier requires for an order. Empty if it requires none. */
export function OrderRequirements({ place, order }: { place: OpenPlace; order: Order }) {
  const [submitting, setSubmitting] = useState<RequirementGroup>();
  const groups = requirementGroups(order);
  if (groups.length === 0) return null;
  const mayOrder = place.role === "owner" || place.role === "admin";
  const until = actionUntil(order);
  return (
    <Section title={evidenceText.evidence}>
      <p className="text-sm text-ink-2">
        {evidenceText.needed}{" "}
        {until && (
          <>
            {evidenceText.until}{" "}
            <time dateTime={until} title={exactly(until)}>
              {shortMomentOf(until)}
            </time>
            .
          </>
        )}{" "}
        {until && !mayOrder && evidenceText.denied}
      </p>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {groups.map((group) => (
          <Row
            key={group.id}
            group={group}
            onSubmit={
              mayOrder && until !== undefined && isOpen(group) ? () => setSubmitting(group) : undefined
            }
          />
        ))}
      </ul>
      {submitting && (
        <SubmitDialog
          place={place}
          order={order}
          requirement={submitting}
          onClose={() => setSubmitting(undefined)}
        />
      )}
    </Section>
  );
}

function Row({ group, onSubmit }: { group: RequirementGroup; onSubmit: (() => void) | undefined }) {
  const { description, status, rejected_reason: reason, count } = group;
  const { icon: Icon, look } = LOOKS[status] ?? LOOKS["pending"]!;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 grow">
        <p className="font-medium break-words">{description}</p>
        {reason && <p className="text-xs break-words text-bad">{reason}</p>}
      </div>
      <span className="inline-flex items-center gap-1.5 text-xs font-medium">
        <Icon aria-hidden className={`size-3.5 ${look}`} />
        {evidenceText.statuses[status] ?? status}
        {count > 1 && <span className="text-ink-2">{evidenceText.forNumbers(count)}</span>}
      </span>
      {onSubmit && (
        <Button
          size="small"
          look="primary"
          aria-label={evidenceText.submitOf(description)}
          onClick={onSubmit}
        >
          {evidenceText.submit}
        </Button>
      )}
    </li>
  );
}
