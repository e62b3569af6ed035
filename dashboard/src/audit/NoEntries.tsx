import { ScrollText, SearchX } from "lucide-react";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { sharedText } from "../components/shared-text.ts";
import type { AuditFiltersProps } from "./AuditFilters.tsx";
import { auditText } from "./audit-text.ts";

/** Replaces an empty list. */
export function NoEntries({ search, onChange }: AuditFiltersProps) {
  if (Object.keys(search).length === 0)
    return (
      <EmptyState icon={ScrollText} title={auditText.noEntries}>
        {auditText.noEntriesHint}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={SearchX}
      title={auditText.noMatch}
      action={<Button onClick={() => onChange({})}>{sharedText.clearFilters}</Button>}
    >
      {auditText.noMatchHint}
    </EmptyState>
  );
}
