import type { UseFormReturn } from "react-hook-form";
import { SelectField } from "../components/SelectField.tsx";
import { TextField } from "../components/TextField.tsx";
import { type DocumentValues, FILE_TYPES, MOST_BYTES } from "./evidence-form.ts";
import { evidenceText, kindWord } from "./evidence-text.ts";

interface DocumentFieldsProps {
  form: UseFormReturn<DocumentValues>;
  /** Kinds to choose from. */
  kinds: readonly string[];
}

/** Fields of a new document. */
export function DocumentFields({ form, kinds }: DocumentFieldsProps) {
  const { errors } = form.formState;
  return (
    <>
      <SelectField label={evidenceText.kind} error={errors.kind?.message} {...form.register("kind")}>
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {kindWord(kind)}
          </option>
        ))}
      </SelectField>
      <TextField
        type="file"
        accept={FILE_TYPES}
        label={evidenceText.file}
        hint={evidenceText.fileHint}
        error={errors.file?.message}
        {...form.register("file", { validate: faultOf })}
      />
    </>
  );
}

function faultOf(files: FileList | null): string | true {
  const file = files?.[0];
  if (!file) return evidenceText.fileRequired;
  return file.size <= MOST_BYTES || evidenceText.fileTooLarge;
}
