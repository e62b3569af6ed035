import type { TrunkList, TrunkRevisionPage } from "@dialplane/sdk/operator";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { rowsOf } from "../components/paging.ts";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { Section } from "../components/Section.tsx";
import { operator } from "../session/client.ts";
import { OpenNetworksDialog } from "./OpenNetworksDialog.tsx";
import { trunkRevisionsList } from "./trunks-query.ts";
import { trunksText } from "./trunks-text.ts";
import { useTrunkChange } from "./use-trunk-change.ts";

type Revision = TrunkRevisionPage["data"][number];

/** Earlier lists, each of which can be restored. */
export function TrunkRevisions({ list, group }: { list: TrunkList; group: string }) {
  const revisions = useInfiniteQuery(trunkRevisionsList(list.switch_group_id));
  const [restored, setRestored] = useState<number>();
  return (
    <Section title={trunksText.revisions}>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {rowsOf(revisions.data).map((one) => (
          <Row
            key={one.revision}
            one={one}
            isCurrent={one.revision === list.revision}
            onRestore={() => setRestored(one.revision)}
          />
        ))}
      </ul>
      <MoreRows list={revisions} />
      {restored !== undefined && (
        <RestoreDialog to={restored} list={list} group={group} onClose={() => setRestored(undefined)} />
      )}
    </Section>
  );
}

interface RowProps {
  one: Revision;
  isCurrent: boolean;
  onRestore(): void;
}

function Row({ one, isCurrent, onRestore }: RowProps) {
  const { revision, trunks, opened_networks: opened, restored_from: from, actor } = one;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <div className="grid min-w-0 grow basis-48">
        <span className="font-medium">{trunksText.revision(revision)}</span>
        <p className="text-xs break-words text-ink-2">
          {trunksText.revisionTrunks(trunks.map(({ name }) => name).join(", "))}
        </p>
        {from !== null && <p className="text-xs text-ink-2">{trunksText.restoredFrom(from)}</p>}
        {opened.length > 0 && (
          <p className="text-xs break-words text-ink-2">{trunksText.opened(opened.join(", "))}</p>
        )}
      </div>
      <span className="text-xs text-ink-2">
        <RelativeTime at={one.created_at} /> {trunksText.by(actor.name)}
      </span>
      {isCurrent ? (
        <span className="text-xs font-medium">{trunksText.current}</span>
      ) : (
        <Button size="small" aria-label={`${trunksText.restore} ${revision}`} onClick={onRestore}>
          {trunksText.restore}
        </Button>
      )}
    </li>
  );
}

interface RestoreDialogProps {
  to: number;
  list: TrunkList;
  group: string;
  onClose(): void;
}

function RestoreDialog({ to, list, group, onClose }: RestoreDialogProps) {
  const { switch_group_id: id, revision } = list;
  const change = useTrunkChange(id, trunksText.restored(to), onClose);
  if (change.networks) return <OpenNetworksDialog change={change} group={group} />;
  return (
    <ConfirmDialog
      title={trunksText.restoreTitle(to)}
      action={trunksText.restore}
      mutation={change}
      onConfirm={() =>
        change.start((confirmed_networks) =>
          operator.trunks.restore(id, { to, revision, confirmed_networks }),
        )
      }
      onClose={onClose}
    >
      <p>{trunksText.restoreHint}</p>
    </ConfirmDialog>
  );
}
