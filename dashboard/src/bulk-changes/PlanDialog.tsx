import type { BulkSelection, PlanBulkChange } from "@dialplane/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useForm, type UseFormReturn } from "react-hook-form";
import { FormDialog } from "../components/FormDialog.tsx";
import { TextField } from "../components/TextField.tsx";
import { bodyOf, NEW_ROUTING, type RoutingValues } from "../numbers/routing-form.ts";
import { connectionsQuery } from "../numbers/routing-queries.ts";
import { RoutingFields } from "../numbers/RoutingFields.tsx";
import { tagsOf } from "../numbers/tag-list.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { bulkChangesText } from "./bulk-changes-text.ts";
import { sharedText } from "../components/shared-text.ts";

export type BulkKind = "routing" | "tags" | "lock" | "unlock";

interface PlanDialogProps {
  place: OpenPlace;
  kind: BulkKind;
  select: BulkSelection;
  /** How many numbers the selection has, in words. */
  count: string;
  onClose(): void;
}

/**
 * Creates a plan for the selected numbers. The plan has its own URL and changes nothing until it is applied.
 */
export function PlanDialog({ place, kind, select, count, onClose }: PlanDialogProps) {
  const routing = useForm<RoutingValues>({ defaultValues: NEW_ROUTING });
  const tags = useForm<TagValues>({ defaultValues: { add: "", remove: "" } });
  const connections = useQuery({ ...connectionsQuery(place), enabled: kind === "routing" }).data ?? [];
  const plan = usePlanning(place);
  const planOf = (change: PlanBulkChange["change"]): PlanBulkChange => {
    const reason = routing.getValues("reason").trim();
    return { select, change, ...(reason && { reason }) };
  };
  const submit = async (): Promise<void> => {
    if (kind === "routing")
      await routing.handleSubmit((values) =>
        plan.mutate(planOf({ routing: bodyOf({ ...values, reason: "" }) })),
      )();
    else if (kind === "tags")
      await tags.handleSubmit((values) => plan.mutate(planOf({ tags: tagChangeOf(values) })))();
    else plan.mutate(planOf({ release_lock: kind === "lock" }));
  };
  return (
    <FormDialog
      onClose={onClose}
      title={bulkChangesText.planTitles[kind](count)}
      description={bulkChangesText.planHint}
      size="large"
      asCode={() => ({
        operation: "planBulkChange",
        body: planOf(
          kind === "routing"
            ? { routing: bodyOf({ ...routing.getValues(), reason: "" }) }
            : kind === "tags"
              ? { tags: tagChangeOf(tags.getValues()) }
              : { release_lock: kind === "lock" },
        ),
      })}
      action={bulkChangesText.createPlan}
      mutation={plan}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {kind === "routing" && <RoutingFields form={routing} connections={connections} />}
      {kind === "tags" && <TagFields form={tags} />}
      {kind === "lock" && <p>{bulkChangesText.lockHint}</p>}
      {kind === "unlock" && <p>{bulkChangesText.unlockHint}</p>}
      <TextField
        label={sharedText.reason}
        hint={sharedText.optional}
        maxLength={500}
        {...routing.register("reason")}
      />
    </FormDialog>
  );
}

function usePlanning(place: OpenPlace) {
  const navigate = useNavigate();
  const { organisation, environment, client } = place;
  return useMutation({
    mutationFn: (body: PlanBulkChange) => withSession(() => client.bulkChanges.plan(body)),
    meta: { isShownInPlace: true },
    onSuccess: ({ id }) =>
      navigate({
        to: "/o/$organisation/$environment/bulk-changes/$change",
        params: { organisation, environment, change: id },
      }),
  });
}

interface TagValues {
  add: string;
  remove: string;
}

function TagFields({ form }: { form: UseFormReturn<TagValues> }) {
  return (
    <>
      <TextField
        label={bulkChangesText.addTags}
        hint={bulkChangesText.tagsHint}
        error={form.formState.errors.add?.message}
        {...form.register("add", {
          validate: (text, { remove }) =>
            tagsOf(text).length + tagsOf(remove).length > 0 || bulkChangesText.tagsRequired,
        })}
      />
      <TextField label={bulkChangesText.removeTags} {...form.register("remove")} />
    </>
  );
}

function tagChangeOf({ add, remove }: TagValues): { add?: string[]; remove?: string[] } {
  const [added, removed] = [tagsOf(add), tagsOf(remove)];
  return { ...(added.length > 0 && { add: added }), ...(removed.length > 0 && { remove: removed }) };
}
