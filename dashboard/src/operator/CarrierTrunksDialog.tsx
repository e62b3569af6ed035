import type { Carrier, ChangeCarrier } from "@dialplane/sdk/operator";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CheckField } from "../components/CheckField.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { rowsOf } from "../components/paging.ts";
import { SelectField } from "../components/SelectField.tsx";
import { sharedText } from "../components/shared-text.ts";
import { tellDone } from "../components/Toaster.tsx";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { carriersList } from "./carriers-list.ts";
import { carriersText } from "./carriers-text.ts";
import { switchGroupsList } from "./switches-list.ts";

/** Trunk ID by switch group. */
type Chosen = Record<string, string>;

interface Trunk {
  id: string;
  name: string;
}

/** Chooses the trunk that receives the calls of each switch group. */
export function CarrierTrunksDialog({ one, onClose }: { one: Carrier; onClose(): void }) {
  const queries = useQueryClient();
  const trunks = useQuery({
    queryKey: ["operator", "trunks", one.id],
    queryFn: () => withSession(() => operator.carriers.trunks(one.id)),
    meta: { isShownInPlace: true },
  });
  const [chosen, setChosen] = useState<Chosen>(() =>
    Object.fromEntries(one.deliveries.map(({ switch_group_id: id, trunk }) => [id, trunk])),
  );
  const [repairs, setRepairs] = useState(one.repairs_delivery);
  const save = useMutation({
    mutationFn: (change: ChangeCarrier) => withSession(() => operator.carriers.change(one.id, change)),
    meta: { isShownInPlace: true },
    onSuccess: async ({ name }) => {
      tellDone(carriersText.saved(name));
      onClose();
      await queries.invalidateQueries({ queryKey: carriersList.queryKey });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={carriersText.trunksOf(one.name)}
      description={carriersText.trunksHint}
      action={sharedText.save}
      isDisabled={!trunks.data}
      mutation={save}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ deliveries: deliveriesOf(chosen), repairs_delivery: repairs });
      }}
    >
      {trunks.error && <FailureNotice error={trunks.error} />}
      {trunks.data?.data.length === 0 && <p className="text-sm text-ink-2">{carriersText.noTrunks}</p>}
      <TrunkFields trunks={trunks.data?.data ?? []} chosen={chosen} onChoose={setChosen} />
      <CheckField
        label={carriersText.repairs}
        hint={carriersText.repairsHint}
        checked={repairs}
        onChange={({ target }) => setRepairs(target.checked)}
      />
    </FormDialog>
  );
}

interface TrunkFieldsProps {
  trunks: readonly Trunk[];
  chosen: Chosen;
  onChoose(chosen: Chosen): void;
}

function TrunkFields({ trunks, chosen, onChoose }: TrunkFieldsProps) {
  const groups = rowsOf(useInfiniteQuery(switchGroupsList).data).filter(
    ({ environment }) => environment === "live",
  );
  return groups.map(({ id, name }) => (
    <SelectField
      key={id}
      label={name}
      value={chosen[id] ?? ""}
      onChange={({ target }) => onChoose({ ...chosen, [id]: target.value })}
    >
      <option value="">{carriersText.noTrunk}</option>
      {optionsOf(trunks, chosen[id]).map((trunk) => (
        <option key={trunk.id} value={trunk.id}>
          {trunk.name ? `${trunk.name} (${trunk.id})` : trunk.id}
        </option>
      ))}
    </SelectField>
  ));
}

/** A configured trunk that the carrier no longer lists remains visible. */
function optionsOf(trunks: readonly Trunk[], chosen: string | undefined): readonly Trunk[] {
  const isListed = !chosen || trunks.some(({ id }) => id === chosen);
  return isListed ? trunks : [{ id: chosen, name: "" }, ...trunks];
}

function deliveriesOf(chosen: Chosen): Carrier["deliveries"] {
  return Object.entries(chosen).flatMap(([switch_group_id, trunk]) =>
    trunk ? [{ switch_group_id, trunk }] : [],
  );
}
