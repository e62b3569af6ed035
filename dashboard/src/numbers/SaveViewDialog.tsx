import { useForm } from "react-hook-form";
import { FormDialog } from "../components/FormDialog.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { type SavedView, saveView } from "./saved-views.ts";
import { numbersText } from "./numbers-text.ts";
import { sharedText } from "../components/shared-text.ts";

interface SaveViewDialogProps {
  organisation: string;
  current: Omit<SavedView, "name">;
  onClose(): void;
}

export function SaveViewDialog({ organisation, current, onClose }: SaveViewDialogProps) {
  const form = useForm({ defaultValues: { name: "" } });
  const save = ({ name }: { name: string }): void => {
    saveView(organisation, { ...current, name: name.trim() });
    tellDone(numbersText.viewSaved(name.trim()), numbersText.viewSavedDetail);
    onClose();
  };
  return (
    <FormDialog
      onClose={onClose}
      title={numbersText.saveView}
      description={numbersText.saveViewHint}
      action={sharedText.save}
      onSubmit={form.handleSubmit(save)}
    >
      <TextField
        label={sharedText.name}
        maxLength={60}
        autoFocus
        error={form.formState.errors.name?.message}
        {...form.register("name", { validate: (name) => name.trim() !== "" || sharedText.nameRequired })}
      />
    </FormDialog>
  );
}
