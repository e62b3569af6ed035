import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { trunksText } from "./trunks-text.ts";
import type { TrunkChange } from "./use-trunk-change.ts";

/** Names the networks that a change opens. */
export function OpenNetworksDialog({ change, group }: { change: TrunkChange; group: string }) {
  const networks = change.networks ?? [];
  return (
    <ConfirmDialog
      title={trunksText.openTitle(networks.length)}
      action={trunksText.openAction}
      mutation={change}
      onConfirm={() => change.confirm()}
      onClose={() => change.cancel()}
    >
      <p>{trunksText.openHint(group)}</p>
      <ul className="grid max-h-60 gap-1 overflow-y-auto rounded-lg border border-line bg-canvas p-3 font-mono">
        {networks.map((network) => (
          <li key={network}>{network}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
