import { type Connection, type CreateConnection, PreconditionError } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm, type UseFormReturn } from "react-hook-form";
import type { ShownCall } from "../as-code/shown-call.ts";
import { FormDialog } from "../components/FormDialog.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { type ConnectionValues, NEW_TARGET, TargetFields, WHOLE_NUMBER } from "./TargetFields.tsx";
import { connectionsText } from "./connections-text.ts";
import { sharedText } from "../components/shared-text.ts";
import { useFieldErrors } from "../components/use-field-errors.ts";

interface ConnectionDialogProps {
  place: OpenPlace;
  /** The object to change. Creates a new one if undefined. */
  connection: Connection | undefined;
  onClose(): void;
}

export function ConnectionDialog({ place, connection, onClose }: ConnectionDialogProps) {
  const form = useForm<ConnectionValues>({ defaultValues: valuesOf(connection) });
  const save = useSaving(place, connection, onClose);
  useFieldErrors(form, save.error);
  return (
    <FormDialog
      onClose={onClose}
      title={connection ? connectionsText.changeTitle(connection.name) : connectionsText.add}
      size="large"
      asCode={() => callOf(connection, bodyOf(form.getValues()))}
      action={sharedText.save}
      mutation={save}
      failure={
        save.error instanceof PreconditionError ? (
          <p role="alert" className="rounded-lg border border-warn/40 bg-warn-soft p-3 text-sm">
            {connectionsText.conflict}
          </p>
        ) : undefined
      }
      onSubmit={form.handleSubmit((values) => save.mutate(values))}
    >
      <TextField
        label={sharedText.name}
        maxLength={100}
        error={form.formState.errors.name?.message}
        {...form.register("name", { validate: (name) => name.trim() !== "" || sharedText.nameRequired })}
      />
      <TargetFields form={form} />
      <LimitFields form={form} />
    </FormDialog>
  );
}

function LimitFields({ form }: { form: UseFormReturn<ConnectionValues> }) {
  const { errors } = form.formState;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={connectionsText.maxCalls}
          hint={connectionsText.maxCallsHint}
          inputMode="numeric"
          error={errors.max_calls?.message}
          {...form.register("max_calls", {
            pattern: { value: WHOLE_NUMBER, message: connectionsText.maxCallsInvalid },
          })}
        />
        <TextField
          label={connectionsText.ringSeconds}
          hint={connectionsText.ringSecondsHint}
          inputMode="numeric"
          error={errors.ring_seconds?.message}
          {...form.register("ring_seconds", {
            pattern: { value: WHOLE_NUMBER, message: connectionsText.ringSecondsInvalid },
          })}
        />
      </div>
      <TextField
        label={connectionsText.sources}
        hint={connectionsText.sourcesHint}
        placeholder="198.51.100.0/28"
        error={errors.sources?.message}
        {...form.register("sources")}
      />
    </>
  );
}

function callOf(connection: Connection | undefined, body: CreateConnection): ShownCall {
  if (!connection) return { operation: "createConnection", body };
  const { id, generation } = connection;
  return { operation: "changeConnection", path: { id }, body, ifGeneration: generation };
}

function useSaving(place: OpenPlace, connection: Connection | undefined, onSaved: () => void) {
  const queries = useQueryClient();
  const { client, organisation, environment } = place;
  return useMutation({
    mutationFn: (values: ConnectionValues) =>
      withSession(() =>
        connection
          ? client.connections.change(connection.id, bodyOf(values), { ifGeneration: connection.generation })
          : client.connections.create(bodyOf(values)),
      ),
    meta: { isShownInPlace: true },
    onSuccess: async ({ name }) => {
      tellDone(connectionsText.saved(name), sharedText.applying);
      onSaved();
      await queries.invalidateQueries({ queryKey: [organisation, environment] });
    },
  });
}

function valuesOf(connection: Connection | undefined): ConnectionValues {
  if (!connection) return { name: "", max_calls: "", ring_seconds: "", sources: "", targets: [NEW_TARGET] };
  const { name, max_calls, ring_seconds, sources, targets } = connection;
  return {
    name,
    max_calls: max_calls === null ? "" : String(max_calls),
    ring_seconds: ring_seconds === null ? "" : String(ring_seconds),
    sources: sources.join(", "),
    targets: targets.map((target) => ({
      host: target.host,
      port: String(target.port),
      transport: target.transport as "udp" | "tcp" | "tls",
      priority: String(target.priority),
      weight: String(target.weight),
    })),
  };
}

function bodyOf({ name, max_calls, ring_seconds, sources, targets }: ConnectionValues): CreateConnection {
  const numberOf = (text: string): number | undefined => (text.trim() === "" ? undefined : Number(text));
  return {
    name: name.trim(),
    max_calls: numberOf(max_calls) ?? null,
    ring_seconds: numberOf(ring_seconds) ?? null,
    sources: sources.split(/[\s,]+/).filter((network) => network !== ""),
    targets: targets.map(({ host, port, transport, priority, weight }) => ({
      host: host.trim(),
      port: numberOf(port),
      transport,
      priority: numberOf(priority),
      weight: numberOf(weight),
    })),
  };
}
