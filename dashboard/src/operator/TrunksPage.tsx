import type { SwitchGroup, TrunkList } from "@dialplane/sdk/operator";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Network, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { rowsOf } from "../components/paging.ts";
import { Section } from "../components/Section.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { OperatorPage } from "./OperatorPage.tsx";
import { ProbeCallerSection } from "./ProbeCallerSection.tsx";
import { switchGroupsList } from "./switches-list.ts";
import { TrunkDialog } from "./TrunkDialog.tsx";
import { TrunkForwardingSection } from "./TrunkForwardingSection.tsx";
import { TrunkRevisions } from "./TrunkRevisions.tsx";
import { TrunkSwitches } from "./TrunkSwitches.tsx";
import { TrunkTable } from "./TrunkTable.tsx";
import { trunksQuery } from "./trunks-query.ts";
import { trunksText } from "./trunks-text.ts";

const route = getRouteApi("/signed-in/operator/trunks");

/** Trunks of a switch group: desired, and as each switch has read them back. */
export function TrunksPage() {
  const [isAdding, setAdding] = useState(false);
  const groups = useInfiniteQuery(switchGroupsList);
  const live = rowsOf(groups.data).filter(({ environment }) => environment === "live");
  const { group: given } = route.useSearch();
  const group = live.find(({ id }) => id === given) ?? live.find((one) => one.is_default) ?? live[0];
  const list = useQuery({ ...trunksQuery(group?.id ?? ""), enabled: group !== undefined });
  return (
    <OperatorPage
      title={trunksText.title}
      says={trunksText.about}
      error={groups.error}
      aside={
        <Button
          look="primary"
          icon={<Plus aria-hidden className="size-4" />}
          disabled={!list.data}
          onClick={() => setAdding(true)}
        >
          {trunksText.add}
        </Button>
      }
    >
      {group && live.length > 1 && <GroupField groups={live} group={group} />}
      {list.error && <FailureNotice error={list.error} />}
      {group && list.data && <Trunks list={list.data} group={group.name} />}
      {isAdding && group && list.data && (
        <TrunkDialog list={list.data} group={group.name} onClose={() => setAdding(false)} />
      )}
    </OperatorPage>
  );
}

function GroupField({ groups, group }: { groups: readonly SwitchGroup[]; group: SwitchGroup }) {
  const navigate = route.useNavigate();
  return (
    <SelectField
      className="max-w-xs"
      label={trunksText.group}
      value={group.id}
      onChange={({ target }) => void navigate({ search: { group: target.value } })}
    >
      {groups.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

function Trunks({ list, group }: { list: TrunkList; group: string }) {
  if (!list.is_managed)
    return (
      <>
        <NoTrunks title={trunksText.notManaged} hint={trunksText.notManagedHint} />
        <TrunkSwitches list={list} />
      </>
    );
  return (
    <>
      <Section title={trunksText.title}>
        {list.trunks.length === 0 ? (
          <NoTrunks title={trunksText.none} hint={trunksText.noneHint} />
        ) : (
          <TrunkTable list={list} group={group} />
        )}
      </Section>
      <TrunkForwardingSection list={list} group={group} />
      <ProbeCallerSection list={list} group={group} />
      <TrunkSwitches list={list} />
      <TrunkRevisions list={list} group={group} />
    </>
  );
}

function NoTrunks({ title, hint }: { title: string; hint: string }) {
  return (
    <EmptyState icon={Network} title={title}>
      {hint} <code className="font-mono text-xs">{trunksText.importCommand}</code>
    </EmptyState>
  );
}
