import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { FormDialog } from "../components/FormDialog.tsx";
import { rowsOf } from "../components/paging.ts";
import { SelectField } from "../components/SelectField.tsx";
import { TextField } from "../components/TextField.tsx";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { switchesList, switchGroupsList } from "./switches-list.ts";
import { operatorText } from "./operator-text.ts";
import { sharedText } from "../components/shared-text.ts";
import { useFieldErrors } from "../components/use-field-errors.ts";

interface Values {
  name: string;
  group_id: string;
}

/** Shows the agent's credential once, at the end. */
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
  useFieldErrors(form, add.error);
  return (
    <FormDialog
      made={
        add.data
          ? {
              title: operatorText.switches.added(add.data.name),
              secret: add.data.credential,
              label: operatorText.switches.credential,
              hint: operatorText.switches.addedHint,
            }
          : undefined
      }
      onClose={onClose}
      title={operatorText.switches.add}
      action={sharedText.add}
      mutation={add}
      onSubmit={form.handleSubmit((values) => add.mutate(values))}
    >
      <TextField
        label={sharedText.name}
        maxLength={100}
        autoFocus
        error={form.formState.errors.name?.message}
        {...form.register("name", { validate: (name) => name.trim() !== "" || sharedText.nameRequired })}
      />
      <SelectField label={operatorText.switches.group} {...form.register("group_id")}>
        <option value="">{operatorText.switches.defaultGroup}</option>
        {groups.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
