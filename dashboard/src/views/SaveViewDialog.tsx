import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { CheckField } from "../components/CheckField.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { sharedText } from "../components/shared-text.ts";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { type ViewPage, viewsQuery } from "./views-query.ts";
import { viewsText } from "./views-text.ts";

interface SaveViewDialogProps {
  place: OpenPlace;
  page: ViewPage;
  /** Query string to save. */
  query: string;
  onClose(): void;
}

/** Saves the page's current filters under a name. */
export function SaveViewDialog({ place, page, query, onClose }: SaveViewDialogProps) {
  const form = useForm({ defaultValues: { name: "", is_shared: false } });
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: ({ name, is_shared }: { name: string; is_shared: boolean }) =>
      withSession(() => place.client.views.create({ page, query, name: name.trim(), is_shared })),
    meta: { isShownInPlace: true },
    onSuccess: async ({ name }) => {
      tellDone(viewsText.saved(name));
      onClose();
      await queries.invalidateQueries({ queryKey: viewsQuery(place, page).queryKey });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={viewsText.save}
      description={viewsText.saveHint}
      action={sharedText.save}
      mutation={save}
      onSubmit={form.handleSubmit((values) => save.mutate(values))}
    >
      <TextField
        label={sharedText.name}
        maxLength={60}
        autoFocus
        error={form.formState.errors.name?.message}
        {...form.register("name", { validate: (name) => name.trim() !== "" || sharedText.nameRequired })}
      />
      {place.role !== "member" && (
        <CheckField label={viewsText.share} hint={viewsText.shareHint} {...form.register("is_shared")} />
      )}
    </FormDialog>
  );
}
