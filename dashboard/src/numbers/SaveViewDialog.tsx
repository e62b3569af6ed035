import { useForm } from "react-hook-form";
import { FormDialog } from "../components/FormDialog.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { type SavedView, saveView } from "./saved-views.ts";

interface SaveViewDialogProps {
  organisation: string;
  current: Omit<SavedView, "name">;
  onClose(): void;
}

export function SaveViewDialog({ organisation, current, onClose }: SaveViewDialogProps) {
  const form = useForm({ defaultValues: { name: "" } });
  const save = ({ name }: { name: string }): void => {
    saveView(organisation, { ...current, name: name.trim() });
    tellDone(`“${name.trim()}” is saved`, "It is kept in this browser; a link shows the same to others.");
    onClose();
  };
  return (
    <FormDialog
      onClose={onClose}
      title="Save this view"
      description="The filters, the order and the columns as they are now."
      action="Save"
      onSubmit={form.handleSubmit(save)}
    >
      <TextField
        label="Name"
        maxLength={60}
        autoFocus
        error={form.formState.errors.name?.message}
        {...form.register("name", { validate: (name) => name.trim() !== "" || "Give it a name." })}
      />
    </FormDialog>
  );
}
