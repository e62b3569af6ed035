import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { FormDialog } from "../components/FormDialog.tsx";
import { sharedText } from "../components/shared-text.ts";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { DocumentFields } from "./DocumentFields.tsx";
import { documentOf, type DocumentValues } from "./evidence-form.ts";
import { evidenceText } from "./evidence-text.ts";

const KINDS = Object.keys(evidenceText.kinds);

export function DocumentDialog({ place, onClose }: { place: OpenPlace; onClose(): void }) {
  const queries = useQueryClient();
  const form = useForm<DocumentValues>({ defaultValues: { kind: KINDS[0]!, file: null } });
  const save = useMutation({
    mutationFn: async (values: DocumentValues) => {
      const body = await documentOf(values);
      return withSession(() => place.client.documents.create(body));
    },
    meta: { isShownInPlace: true },
    onSuccess: async ({ file_name }) => {
      tellDone(evidenceText.documentSaved(file_name));
      onClose();
      await queries.invalidateQueries({ queryKey: [place.organisation, place.environment, "documents"] });
    },
  });
  return (
    <FormDialog
      title={evidenceText.addDocument}
      action={sharedText.save}
      mutation={save}
      asCode={() => {
        const { kind, file } = form.getValues();
        const body = { kind, file_name: file?.[0]?.name ?? "file.pdf", content: "JVBERi0xLjcK" };
        return { operation: "createDocument", body };
      }}
      onSubmit={form.handleSubmit((values) => save.mutate(values))}
      onClose={onClose}
    >
      <DocumentFields form={form} kinds={KINDS} />
    </FormDialog>
  );
}
