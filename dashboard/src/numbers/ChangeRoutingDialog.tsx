import { type ApiError, type Connection, PreconditionError, type Routing } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useForm } from "react-hook-form";
import { Differences } from "../components/Differences.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { ReturnedFocus } from "../components/ReturnedFocus.tsx";
import { TextField } from "../components/TextField.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { ConflictNotice } from "./ConflictNotice.tsx";
import { bodyOf, routingOf, type RoutingValues, toStepField, valuesOf } from "./routing-form.ts";
import { routingQuery } from "./routing-queries.ts";
import { differencesOf } from "./routing-target.ts";
import { RoutingProgress } from "./RoutingProgress.tsx";
import { RoutingFields } from "./RoutingFields.tsx";
import { numbersText } from "./numbers-text.ts";
import { sharedText } from "../components/shared-text.ts";
import { useFieldErrors } from "../components/use-field-errors.ts";

interface ChangeRoutingDialogProps {
  place: OpenPlace;
  /** Routing when the dialog was opened. Saving requires that it is unchanged. */
  opened: Routing;
  connections: readonly Connection[];
  onClose(): void;
}

/**
 * Edit, review the changes, save, and follow the change until every switch has confirmed it. After a concurrent
 * update the new routing is shown, and the input stays.
 */
export function ChangeRoutingDialog(props: ChangeRoutingDialogProps) {
  const { place, connections, onClose } = props;
  const [saved, setSaved] = useState<Routing>();
  return (
    <>
      {/* The form and its progress are two dialogs with one button that opened them. */}
      <ReturnedFocus />
      {saved ? (
        <RoutingProgress {...{ place, saved, connections, onClose }} />
      ) : (
        <RoutingForm {...props} onSaved={setSaved} />
      )}
    </>
  );
}

interface RoutingFormProps extends ChangeRoutingDialogProps {
  onSaved(routing: Routing): void;
}

function RoutingForm({ place, opened, connections, onClose, onSaved }: RoutingFormProps) {
  const [base, setBase] = useState(opened.desired);
  const form = useForm({ defaultValues: valuesOf(opened.desired) });
  const save = useSaving(place, opened.number_id, { generation: base.generation, onSaved });
  const fieldOf = useCallback((error: ApiError) => destinationField(error, form.getValues()), [form]);
  useFieldErrors(form, save.error, { toField: toStepField, fieldOf });
  const wanted = routingOf(form.watch());
  const differences = differencesOf(base, wanted, connections);
  const conflict = save.error instanceof PreconditionError;
  const queries = useQueryClient();
  const lookAgain = async (): Promise<void> => {
    const { desired } = await queries.query({ ...routingQuery(place, opened.number_id), staleTime: 0 });
    setBase(desired);
    save.reset();
  };
  return (
    <FormDialog
      onClose={onClose}
      title={numbersText.changeRouting}
      size="large"
      asCode={() => ({
        operation: "setRouting",
        path: { id: opened.number_id },
        body: bodyOf(form.getValues()),
        ifGeneration: base.generation,
      })}
      action={numbersText.changeRouting}
      mutation={save}
      isDisabled={differences.length === 0 || conflict}
      failure={conflict ? <ConflictNotice onLookAgain={() => void lookAgain()} /> : undefined}
      onSubmit={form.handleSubmit((values) => save.mutate(bodyOf(values)))}
    >
      <RoutingFields form={form} connections={connections} />
      <TextField
        label={sharedText.reason}
        hint={numbersText.routingReasonHint}
        maxLength={500}
        {...form.register("reason")}
      />
      <Differences differences={differences} />
    </FormDialog>
  );
}

const DESTINATION_CODES = new Set(["destination_not_allowed", "forward_loop"]);
const DESTINATION_FIELDS: Record<string, string> = {
  sip_uri: "sip_uri",
  forward: "forward_to",
  webhook: "webhook_url",
  connection: "connection_id",
};

/** With fallbacks, the error names the destination in its text. */
function destinationField({ code }: ApiError, { steps }: RoutingValues): string | undefined {
  const [first, ...others] = steps;
  if (others.length > 0 || !first || !DESTINATION_CODES.has(code ?? "")) return undefined;
  const field = DESTINATION_FIELDS[first.mode];
  return field && `steps.0.${field}`;
}

function useSaving(
  place: OpenPlace,
  numberId: string,
  { generation, onSaved }: { generation: number; onSaved(routing: Routing): void },
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ReturnType<typeof bodyOf>) =>
      withSession(() => place.client.routing.set(numberId, body, { ifGeneration: generation })),
    meta: { isShownInPlace: true },
    onSuccess: async (routing) => {
      queries.setQueryData(routingQuery(place, numberId).queryKey, routing);
      onSaved(routing);
      await queries.invalidateQueries({ queryKey: [place.organisation, place.environment] });
    },
  });
}
