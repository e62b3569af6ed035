import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { Dialog } from "../components/Dialog.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { rowsOf } from "../components/paging.ts";
import { Secret } from "../components/Secret.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { TextField } from "../components/TextField.tsx";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { switchesList, switchGroupsList } from "./switches-list.ts";

interface Values {
  name: string;
  group_id: string;
}

/** Ends with the credential of its agent, shown this once. */
export function AddSwitchDialog({ onClose }: { onClose(): void }) {
  const queries = useQueryClient();
  const groups = rowsOf(useInfiniteQuery(switchGroupsList).data).filter(
    ({ environment }) => environment === "live",
  );
  const form = useForm<Values>({ defaultValues: { name: "", group_id: "" } });
  const add = useMutation({
    mutationFn: ({ name, group_id }: Values) =>
      withSession(() => operator.switches.create({ name: name.trim(), ...(group_id && { group_id }) })),
    meta: { isShownInPlace: true },
    onSuccess: () => queries.invalidateQueries({ queryKey: switchesList.queryKey }),
  });
  if (add.data)
    return (
      <Dialog isOpen onClose={onClose} title={`${add.data.name} is added`}>
        <div className="grid gap-4">
          <p className="text-sm">Give this to the agent beside the switch.</p>
          <Secret text={add.data.credential} label="credential" />
          <Button look="primary" className="justify-self-end" onClick={onClose}>
            I have it
          </Button>
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      onClose={onClose}
      title="Add a switch"
      action="Add"
      isPending={add.isPending}
      error={add.error}
      onSubmit={form.handleSubmit((values) => add.mutate(values))}
    >
      <TextField
        label="Name"
        maxLength={100}
        autoFocus
        error={form.formState.errors.name?.message}
        {...form.register("name", { validate: (name) => name.trim() !== "" || "Give it a name." })}
      />
      <SelectField label="Group" {...form.register("group_id")}>
        <option value="">The default one</option>
        {groups.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
