import type { ReplaceTrunks, TrunkList } from "@dialplane/sdk/operator";
import { useState } from "react";
import { useForm, type UseFormReturn } from "react-hook-form";
import { CheckField } from "../components/CheckField.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { sharedText } from "../components/shared-text.ts";
import { TextField } from "../components/TextField.tsx";
import { useFieldErrors } from "../components/use-field-errors.ts";
import { operator } from "../session/client.ts";
import { OpenNetworksDialog } from "./OpenNetworksDialog.tsx";
import { isWhole, listOf } from "./trunk-form.ts";
import { trunksText } from "./trunks-text.ts";
import { useTrunkChange } from "./use-trunk-change.ts";

interface GatewayValue {
  trunk: string;
  isUsed: boolean;
  priority: string;
  weight: string;
  ping: boolean;
}

interface ForwardingValues {
  isForwarding: boolean;
  gateways: GatewayValue[];
  prefixes: string;
  calls_per_minute: string;
  calls_at_once: string;
}

interface TrunkForwardingDialogProps {
  list: TrunkList;
  group: string;
  onClose(): void;
}

/** The trunks of the form are others than those of the request. */
const toField = ([first = "", ...rest]: readonly string[]): readonly string[] => {
  const path = first === "forwarding" ? rest : [first, ...rest];
  return path[0] === "gateways" ? ["isForwarding"] : path;
};

export function TrunkForwardingDialog({ list: newest, group, onClose }: TrunkForwardingDialogProps) {
  // The list is refreshed while the dialog is open. The values are those of this revision.
  const [list] = useState(newest);
  const form = useForm<ForwardingValues>({ defaultValues: valuesOf(list) });
  const change = useTrunkChange(list.switch_group_id, trunksText.forwardingSaved, onClose);
  useFieldErrors(form, change.error, { toField });
  if (change.networks) return <OpenNetworksDialog change={change} group={group} />;
  const isForwarding = form.watch("isForwarding");
  return (
    <FormDialog
      onClose={onClose}
      title={trunksText.forwardingEdit}
      size="large"
      action={sharedText.save}
      mutation={change}
      onSubmit={form.handleSubmit((values) =>
        change.start((confirmed_networks) =>
          operator.trunks.replace(list.switch_group_id, {
            revision: list.revision,
            trunks: list.trunks.map(unchanged),
            forwarding: forwardingOf(values),
            confirmed_networks,
          }),
        ),
      )}
    >
      <CheckField label={trunksText.isForwarding} {...form.register("isForwarding")} />
      {isForwarding && <GatewayFields form={form} />}
      {isForwarding && <LimitFields form={form} />}
    </FormDialog>
  );
}

type Form = UseFormReturn<ForwardingValues>;

function GatewayFields({ form }: { form: Form }) {
  const gateways = form.watch("gateways");
  const { errors } = form.formState;
  if (gateways.length === 0) return <p className="text-sm text-ink-2">{trunksText.noGateways}</p>;
  return (
    <div className="grid gap-3">
      {gateways.map(({ trunk, isUsed }, at) => (
        <div
          key={trunk}
          className="grid gap-3 rounded-lg border border-line p-3 sm:grid-cols-4 sm:items-center"
        >
          <CheckField
            label={trunksText.use(trunk)}
            {...form.register(`gateways.${at}.isUsed`, {
              validate: (_, all) => isCountAllowed(all) || trunksText.noneChosen,
            })}
          />
          <TextField
            label={trunksText.priority}
            hint={trunksText.priorityHint}
            inputMode="numeric"
            disabled={!isUsed}
            error={errors.gateways?.[at]?.priority?.message}
            {...form.register(`gateways.${at}.priority`)}
          />
          <TextField
            label={trunksText.weight}
            inputMode="numeric"
            disabled={!isUsed}
            error={errors.gateways?.[at]?.weight?.message}
            {...form.register(`gateways.${at}.weight`)}
          />
          <CheckField label={trunksText.ping} disabled={!isUsed} {...form.register(`gateways.${at}.ping`)} />
        </div>
      ))}
      {errors.gateways?.[0]?.isUsed && (
        <p role="alert" className="text-xs text-bad">
          {errors.gateways[0].isUsed.message}
        </p>
      )}
    </div>
  );
}

function LimitFields({ form }: { form: Form }) {
  const { errors } = form.formState;
  const whole = { validate: (typed: string) => isWhole(typed) || trunksText.wholeNumber };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        className="sm:col-span-2"
        label={trunksText.prefixes}
        hint={trunksText.prefixesHint}
        error={errors.prefixes?.message}
        {...form.register("prefixes")}
      />
      <TextField
        label={trunksText.perMinute}
        inputMode="numeric"
        error={errors.calls_per_minute?.message}
        {...form.register("calls_per_minute", whole)}
      />
      <TextField
        label={trunksText.atOnce}
        inputMode="numeric"
        error={errors.calls_at_once?.message}
        {...form.register("calls_at_once", whole)}
      />
    </div>
  );
}

const MOST_GATEWAYS = 5;

function isCountAllowed({ isForwarding, gateways }: ForwardingValues): boolean {
  const used = gateways.filter(({ isUsed }) => isUsed).length;
  return !isForwarding || (used >= 1 && used <= MOST_GATEWAYS);
}

function valuesOf({ trunks, forwarding }: TrunkList): ForwardingValues {
  return {
    isForwarding: forwarding !== null,
    gateways: trunks
      .filter(({ direction }) => direction !== "in")
      .map(({ name }) => {
        const used = forwarding?.gateways.find(({ trunk }) => trunk === name);
        return {
          trunk: name,
          isUsed: used !== undefined,
          priority: String(used?.priority ?? 1),
          weight: String(used?.weight ?? 1),
          ping: used?.ping ?? true,
        };
      }),
    prefixes: forwarding?.prefixes.join(", ") ?? "",
    calls_per_minute: String(forwarding?.calls_per_minute ?? 60),
    calls_at_once: String(forwarding?.calls_at_once ?? 10),
  };
}

function forwardingOf(values: ForwardingValues): ReplaceTrunks["forwarding"] {
  if (!values.isForwarding) return null;
  return {
    gateways: values.gateways
      .filter(({ isUsed }) => isUsed)
      .map(({ trunk, priority, weight, ping }) => ({
        trunk,
        priority: Number(priority),
        weight: Number(weight),
        ping,
      })),
    prefixes: listOf(values.prefixes),
    calls_per_minute: Number(values.calls_per_minute),
    calls_at_once: Number(values.calls_at_once),
  };
}

/** A trunk as a request names it again. Its password is kept. */
function unchanged(one: TrunkList["trunks"][number]): ReplaceTrunks["trunks"][number] {
  const { status: _, states: _states, gateway, ...trunk } = one;
  const { password_set_at: _at, ...kept } = gateway ?? { password_set_at: null };
  return { ...trunk, gateway: gateway && kept } as ReplaceTrunks["trunks"][number];
}
