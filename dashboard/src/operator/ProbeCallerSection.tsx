import type { ProbeCaller, TrunkList } from "@dialplane/sdk/operator";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { Section } from "../components/Section.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { useFieldErrors } from "../components/use-field-errors.ts";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { probeSettingsText } from "./probe-settings-text.ts";
import { probeCallerQuery } from "./trunks-query.ts";

/** Caller and trunk of probes through a carrier. */
export function ProbeCallerSection({ list, group }: { list: TrunkList; group: string }) {
  const current = useQuery(probeCallerQuery(list.switch_group_id));
  const [isEditing, setEditing] = useState(false);
  const { data, error } = current;
  return (
    <Section
      title={probeSettingsText.caller}
      aside={
        <Button size="small" disabled={!data} onClick={() => setEditing(true)}>
          {probeSettingsText.callerChange}
        </Button>
      }
    >
      {error && <FailureNotice error={error} />}
      {data && (
        <p className="text-sm text-ink-2">
          {data.caller !== null && data.trunk !== null
            ? probeSettingsText.callerShown(data.caller, data.trunk)
            : probeSettingsText.callerNone}
        </p>
      )}
      {data && isEditing && (
        <CallerDialog current={data} list={list} group={group} onClose={() => setEditing(false)} />
      )}
    </Section>
  );
}

interface CallerDialogProps {
  current: ProbeCaller;
  list: TrunkList;
  group: string;
  onClose(): void;
}

function CallerDialog({ current, list, group, onClose }: CallerDialogProps) {
  const id = list.switch_group_id;
  const queries = useQueryClient();
  const form = useForm({ defaultValues: { trunk: current.trunk ?? "", caller: current.caller ?? "" } });
  const { errors } = form.formState;
  const save = useMutation({
    mutationFn: ({ trunk, caller }: { trunk: string; caller: string }) =>
      withSession(() =>
        operator.trunks.setProbeCaller(id, { trunk, caller: caller.replaceAll(/[\s()-]/g, "") }),
      ),
    meta: { isShownInPlace: true },
    onSuccess: (saved) => {
      queries.setQueryData(probeCallerQuery(id).queryKey, saved);
      tellDone(probeSettingsText.callerSaved);
      onClose();
    },
  });
  useFieldErrors(form, save.error);
  const withGateway = list.trunks.filter(({ gateway }) => gateway !== null);
  return (
    <FormDialog
      title={probeSettingsText.callerTitle(group)}
      description={probeSettingsText.callerHint}
      action={probeSettingsText.save}
      isDisabled={withGateway.length === 0}
      mutation={save}
      onSubmit={form.handleSubmit((values) => save.mutate(values))}
      onClose={onClose}
    >
      <SelectField
        label={probeSettingsText.trunk}
        error={withGateway.length === 0 ? probeSettingsText.trunkNone : errors.trunk?.message}
        {...form.register("trunk", { required: probeSettingsText.trunkRequired })}
      >
        <option value="">–</option>
        {withGateway.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label={probeSettingsText.callerNumber}
        type="tel"
        placeholder="+49…"
        error={errors.caller?.message}
        {...form.register("caller", {
          validate: (text) =>
            /^\+[1-9]\d{6,14}$/.test(text.replaceAll(/[\s()-]/g, "")) || probeSettingsText.callerInvalid,
        })}
      />
    </FormDialog>
  );
}
