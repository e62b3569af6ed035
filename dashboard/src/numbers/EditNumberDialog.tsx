import type { ChangeNumber, PhoneNumber } from "@dialplane/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { CheckField } from "../components/CheckField.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { numberQuery } from "./routing-queries.ts";
import { tagsOf } from "./tag-list.ts";
import { numbersText } from "./numbers-text.ts";
import { sharedText } from "../components/shared-text.ts";
import { useFieldErrors } from "../components/use-field-errors.ts";

interface EditNumberDialogProps {
  place: OpenPlace;
  number: PhoneNumber;
  onClose(): void;
}

interface EditedNumber {
  label: string;
  tags: string;
  release_lock?: boolean;
}

/** Edits a number's label, tags and release lock. */
export function EditNumberDialog({ place, number, onClose }: EditNumberDialogProps) {
  const form = useForm({
    defaultValues: {
      label: number.label ?? "",
      tags: number.tags.join(", "),
      release_lock: number.release_lock,
    },
  });
  const mayLock = place.role === "owner" || place.role === "admin";
  const save = useSaving(place, number, onClose);
  useFieldErrors(form, save.error);
  return (
    <FormDialog
      onClose={onClose}
      title={numbersText.editOf(number.e164)}
      asCode={() => ({
        operation: "changeNumber",
        path: { id: number.id },
        body: bodyOf(number, form.getValues()),
      })}
      action={sharedText.save}
      isDisabled={!form.formState.isDirty}
      mutation={save}
      onSubmit={form.handleSubmit((values) => save.mutate(values))}
    >
      <TextField
        label={sharedText.label}
        hint={numbersText.labelHint}
        maxLength={200}
        error={form.formState.errors.label?.message}
        {...form.register("label")}
      />
      <TextField
        label={sharedText.tags}
        hint={numbersText.tagsHint}
        error={form.formState.errors.tags?.message}
        {...form.register("tags", {
          validate: (text) => tagsOf(text).length <= 20 || numbersText.tooManyTags,
        })}
      />
      <CheckField
        label={numbersText.releaseLock}
        hint={mayLock ? numbersText.releaseLockHint : numbersText.releaseLockDenied}
        {...form.register("release_lock", { disabled: !mayLock })}
      />
    </FormDialog>
  );
}

function bodyOf(
  number: PhoneNumber,
  { label, tags, release_lock = number.release_lock }: EditedNumber,
): ChangeNumber {
  return {
    label: label.trim() || null,
    tags: tagsOf(tags),
    ...(release_lock !== number.release_lock && { release_lock }),
  };
}

function useSaving(place: OpenPlace, number: PhoneNumber, onSaved: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: EditedNumber) =>
      withSession(() => place.client.numbers.change(number.id, bodyOf(number, values))),
    meta: { isShownInPlace: true },
    onSuccess: async (changed) => {
      queries.setQueryData(numberQuery(place, number.id).queryKey, changed);
      tellDone(numbersText.saved);
      onSaved();
      await queries.invalidateQueries({ queryKey: [place.organisation, place.environment] });
    },
  });
}
