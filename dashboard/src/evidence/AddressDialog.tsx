import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { FormDialog } from "../components/FormDialog.tsx";
import { sharedText } from "../components/shared-text.ts";
import { tellDone } from "../components/Toaster.tsx";
import { useFieldErrors } from "../components/use-field-errors.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { AddressFields } from "./AddressFields.tsx";
import { addressOf, type AddressValues, NO_ADDRESS } from "./evidence-form.ts";
import { evidenceText } from "./evidence-text.ts";

export function AddressDialog({ place, onClose }: { place: OpenPlace; onClose(): void }) {
  const queries = useQueryClient();
  const form = useForm<AddressValues>({ defaultValues: NO_ADDRESS });
  const save = useMutation({
    mutationFn: (values: AddressValues) =>
      withSession(() => place.client.addresses.create(addressOf(values))),
    meta: { isShownInPlace: true },
    onSuccess: async ({ name }) => {
      tellDone(evidenceText.addressSaved(name));
      onClose();
      await queries.invalidateQueries({ queryKey: [place.organisation, place.environment, "addresses"] });
    },
  });
  useFieldErrors(form, save.error);
  return (
    <FormDialog
      title={evidenceText.addAddress}
      size="large"
      action={sharedText.save}
      mutation={save}
      asCode={() => ({ operation: "createAddress", body: addressOf(form.getValues()) })}
      onSubmit={form.handleSubmit((values) => save.mutate(values))}
      onClose={onClose}
    >
      <AddressFields form={form} />
    </FormDialog>
  );
}
