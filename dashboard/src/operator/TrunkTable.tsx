import type { TrunkList } from "@dialplane/sdk/operator";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { operator } from "../session/client.ts";
import { TrunkDialog } from "./TrunkDialog.tsx";
import type { Trunk } from "./trunk-form.ts";
import { TrunkStates } from "./TrunkStates.tsx";
import { TrunkStatus } from "./TrunkStatus.tsx";
import { trunksText } from "./trunks-text.ts";
import { useTrunkChange } from "./use-trunk-change.ts";

const { columns } = trunksText;
const CELL = "px-4 py-2.5 align-top";

/** Desired trunks, and below each the switches that hold another value. */
export function TrunkTable({ list, group }: { list: TrunkList; group: string }) {
  return (
    <div className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table className="w-full text-sm">
        <thead className="text-left text-xs text-ink-2">
          <tr>
            <th scope="col" className="px-4 py-2 font-medium">
              {columns.name}
            </th>
            <th scope="col" className="px-4 py-2 font-medium max-md:hidden">
              {columns.sources}
            </th>
            <th scope="col" className="px-4 py-2 text-right font-medium max-md:hidden">
              {columns.maxCalls}
            </th>
            <th scope="col" className="px-4 py-2 font-medium">
              {columns.status}
            </th>
            <th scope="col" className="px-4 py-2 font-medium">
              <span className="sr-only">{columns.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.trunks.map((one) => (
            <Row key={one.name} one={one} list={list} group={group} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  one: Trunk;
  list: TrunkList;
  group: string;
}

function Row({ one, list, group }: RowProps) {
  const { name, direction, transport, gateway, max_calls: maxCalls } = one;
  const address = gateway ? `${gateway.host}:${gateway.port}` : undefined;
  const isDifferent = one.states.some(({ status }) => status !== "applied");
  return (
    <>
      <tr className="border-t border-line">
        <th scope="row" className={`${CELL} text-left font-normal`}>
          <span className="font-medium break-words">{name}</span>
          <p className="text-xs text-ink-2">
            {trunksText.summary(trunksText.directions[direction] ?? direction, transport, address)}
          </p>
          <div className="md:hidden">
            <Sources one={one} />
          </div>
        </th>
        <td className={`${CELL} max-md:hidden`}>
          <Sources one={one} />
        </td>
        <td className={`${CELL} text-right tabular-nums max-md:hidden`}>
          {maxCalls === 0 ? trunksText.noLimit : maxCalls.toLocaleString()}
        </td>
        <td className={CELL}>
          <TrunkStatus status={one.status} />
        </td>
        <td className={CELL}>
          <Actions one={one} list={list} group={group} />
        </td>
      </tr>
      {isDifferent && (
        <tr>
          <td colSpan={5} className="px-4 pb-3">
            <TrunkStates states={one.states} />
          </td>
        </tr>
      )}
    </>
  );
}

function Sources({ one: { sources } }: { one: Trunk }) {
  if (sources.length === 0) return <span className="text-xs text-ink-2">{trunksText.noSources}</span>;
  return sources.map((source) => (
    <code key={source} className="block font-mono text-xs">
      {source}
    </code>
  ));
}

function Actions({ one, list, group }: RowProps) {
  const [opened, setOpened] = useState<"edit" | "delete">();
  const close = (): void => setOpened(undefined);
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button size="small" aria-label={`${trunksText.edit} ${one.name}`} onClick={() => setOpened("edit")}>
        {trunksText.edit}
      </Button>
      <Button
        size="small"
        aria-label={`${trunksText.delete} ${one.name}`}
        onClick={() => setOpened("delete")}
      >
        {trunksText.delete}
      </Button>
      {opened === "edit" && <TrunkDialog list={list} group={group} one={one} onClose={close} />}
      {opened === "delete" && <DeleteDialog one={one} list={list} onClose={close} />}
    </div>
  );
}

function DeleteDialog({ one, list, onClose }: Omit<RowProps, "group"> & { onClose(): void }) {
  const { switch_group_id: id, revision } = list;
  const change = useTrunkChange(id, trunksText.deleted(one.name), onClose);
  return (
    <ConfirmDialog
      title={trunksText.deleteTitle(one.name)}
      action={trunksText.delete}
      mutation={change}
      onConfirm={() => change.start(() => operator.trunks.delete(id, one.name, { revision }))}
      onClose={onClose}
    >
      <p>{trunksText.deleteHint}</p>
    </ConfirmDialog>
  );
}
