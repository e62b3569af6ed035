import type { TrunkList } from "@dialplane/sdk/operator";
import { useState } from "react";
import { useForm, type UseFormReturn } from "react-hook-form";
import { CheckField } from "../components/CheckField.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { sharedText } from "../components/shared-text.ts";
import { TextField } from "../components/TextField.tsx";
import { useFieldErrors } from "../components/use-field-errors.ts";
import { operator } from "../session/client.ts";
import { OpenNetworksDialog } from "./OpenNetworksDialog.tsx";
import { isWhole, type Trunk, trunkOf, type TrunkValues, trunkValuesOf } from "./trunk-form.ts";
import { TrunkGatewayFields } from "./TrunkGatewayFields.tsx";
import { trunksText } from "./trunks-text.ts";
import { useTrunkChange } from "./use-trunk-change.ts";

interface TrunkDialogProps {
  list: TrunkList;
  group: string;
  /** The trunk to edit. Without it, the dialog adds one. */
  one?: Trunk | undefined;
  onClose(): void;
}

/** Fields of a request are those of the form, below `trunk`. An error without a field would block the form. */
const toField = ([first = "", ...rest]: readonly string[]): readonly string[] => {
  const path = first === "trunk" ? rest : [first, ...rest];
  if (path[0] === "switches") return ["switches"];
  return path.join("/") === "gateway" ? ["gateway", "host"] : path;
};

/** Adds a trunk, or edits one. */
export function TrunkDialog({ list, group, one, onClose }: TrunkDialogProps) {
  // The list is refreshed while the dialog is open. The values are those of this revision.
  const [revision] = useState(list.revision);
  const form = useForm<TrunkValues>({ defaultValues: trunkValuesOf(one) });
  const name = one?.name ?? form.watch("name").trim();
  const change = useTrunkChange(list.switch_group_id, trunksText.saved(name), onClose);
  useFieldErrors(form, change.error, { toField });
  if (change.networks) return <OpenNetworksDialog change={change} group={group} />;
  return (
    <FormDialog
      onClose={onClose}
      title={one ? trunksText.editOf(one.name) : trunksText.add}
      size="large"
      action={one ? sharedText.save : sharedText.add}
      mutation={change}
      onSubmit={form.handleSubmit((values) =>
        change.start((confirmed_networks) =>
          operator.trunks.set(list.switch_group_id, name, {
            revision,
            trunk: trunkOf(values),
            confirmed_networks,
          }),
        ),
      )}
    >
      <LineFields form={form} isNew={!one} />
      <FormatFields form={form} />
      <SwitchFields form={form} list={list} />
      <TrunkGatewayFields form={form} one={one} />
    </FormDialog>
  );
}

type Form = UseFormReturn<TrunkValues>;

function LineFields({ form, isNew }: { form: Form; isNew: boolean }) {
  const { errors } = form.formState;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {isNew && (
        <TextField
          className="sm:col-span-2"
          label={sharedText.name}
          hint={trunksText.nameHint}
          maxLength={40}
          error={errors.name?.message}
          {...form.register("name", { validate: (name) => name.trim() !== "" || sharedText.nameRequired })}
        />
      )}
      <SelectField
        label={trunksText.direction}
        error={errors.direction?.message}
        {...form.register("direction")}
      >
        {Object.entries(trunksText.directions).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={trunksText.transport}
        hint={trunksText.transportHint}
        {...form.register("transport")}
      >
        {["udp", "tcp", "tls"].map((value) => (
          <option key={value} value={value}>
            {value.toUpperCase()}
          </option>
        ))}
      </SelectField>
      <TextField
        className="sm:col-span-2"
        label={trunksText.sources}
        hint={trunksText.sourcesHint}
        error={errors.sources?.message}
        {...form.register("sources")}
      />
      <TextField
        label={trunksText.maxCalls}
        hint={trunksText.maxCallsHint}
        inputMode="numeric"
        error={errors.max_calls?.message}
        {...form.register("max_calls", { validate: (typed) => isWhole(typed) || trunksText.wholeNumber })}
      />
      <div className="grid content-center gap-2">
        <CheckField label={trunksText.trustsIdentity} {...form.register("trusts_identity")} />
        <CheckField label={trunksText.nat} {...form.register("nat")} />
      </div>
    </div>
  );
}

const FORMAT_LABELS = {
  international_prefix: trunksText.internationalPrefix,
  national_prefix: trunksText.nationalPrefix,
  country_code: trunksText.countryCode,
  technical_prefix: trunksText.technicalPrefix,
} as const;
const FORMAT_FIELDS = Object.keys(FORMAT_LABELS) as (keyof typeof FORMAT_LABELS)[];

function FormatFields({ form }: { form: Form }) {
  const errors = form.formState.errors.number_format;
  return (
    <fieldset className="grid gap-4 sm:grid-cols-4">
      <legend className="mb-2 text-sm font-medium">{trunksText.format}</legend>
      {FORMAT_FIELDS.map((field) => (
        <TextField
          key={field}
          label={FORMAT_LABELS[field]}
          maxLength={16}
          error={errors?.[field]?.message}
          {...form.register(`number_format.${field}`)}
        />
      ))}
    </fieldset>
  );
}

function SwitchFields({ form, list }: { form: Form; list: TrunkList }) {
  if (list.switches.length < 2) return null;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-medium">{trunksText.switches}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {list.switches.map(({ id, name }) => (
          <CheckField key={id} label={name} value={id} {...form.register("switches")} />
        ))}
      </div>
      <p className="text-xs text-ink-2">{trunksText.switchesHint}</p>
    </fieldset>
  );
}
