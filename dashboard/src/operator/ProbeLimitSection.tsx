import type { Organisation, ProbePolicy } from "@dialplane/sdk/operator";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { Section } from "../components/Section.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { useFieldErrors } from "../components/use-field-errors.ts";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { probePolicyQuery } from "./organisations-list.ts";
import { probeSettingsText } from "./probe-settings-text.ts";

/** How many probes an organisation may place. */
export function ProbeLimitSection({ organisation }: { organisation: Organisation }) {
  const policy = useQuery(probePolicyQuery(organisation.id));
  const [isEditing, setEditing] = useState(false);
  const { data, error } = policy;
  return (
    <Section
      title={probeSettingsText.title}
      aside={
        <Button size="small" disabled={!data} onClick={() => setEditing(true)}>
          {probeSettingsText.change}
        </Button>
      }
    >
      {error && <FailureNotice error={error} />}
      {data && (
        <p className="text-sm text-ink-2">
          {data.probes_per_day === 0
            ? probeSettingsText.none
            : probeSettingsText.limit(data.probes_per_day, data.used_today)}
        </p>
      )}
      {data && isEditing && (
        <LimitDialog name={organisation.name} policy={data} onClose={() => setEditing(false)} />
      )}
    </Section>
  );
}

const MOST = 100_000;

function LimitDialog({
  name,
  policy: { organisation_id: id, probes_per_day: perDay },
  onClose,
}: {
  name: string;
  policy: ProbePolicy;
  onClose(): void;
}) {
  const queries = useQueryClient();
  const form = useForm({ defaultValues: { probes_per_day: String(perDay) } });
  const bodyOf = (text: string) => ({ probes_per_day: Number(text) });
  const save = useMutation({
    mutationFn: (text: string) => withSession(() => operator.organisations.setProbes(id, bodyOf(text))),
    meta: { isShownInPlace: true },
    onSuccess: (saved) => {
      queries.setQueryData(probePolicyQuery(id).queryKey, saved);
      tellDone(probeSettingsText.saved);
      onClose();
    },
  });
  useFieldErrors(form, save.error);
  return (
    <FormDialog
      title={probeSettingsText.limitTitle(name)}
      description={probeSettingsText.limitHint}
      action={probeSettingsText.save}
      mutation={save}
      onSubmit={form.handleSubmit(({ probes_per_day }) => save.mutate(probes_per_day))}
      onClose={onClose}
    >
      <TextField
        label={probeSettingsText.perDay}
        hint={probeSettingsText.perDayHint}
        inputMode="numeric"
        autoFocus
        error={form.formState.errors.probes_per_day?.message}
        {...form.register("probes_per_day", {
          validate: (text) =>
            (/^\d{1,6}$/.test(text) && Number(text) <= MOST) || probeSettingsText.perDayInvalid,
        })}
      />
    </FormDialog>
  );
}
