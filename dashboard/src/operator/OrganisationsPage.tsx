import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { CopyButton } from "../components/CopyButton.tsx";
import { Dialog } from "../components/Dialog.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { rowsOf } from "../components/paging.ts";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { dayOf } from "../numbers/words.ts";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { operatorList } from "./operator-list.ts";
import { OperatorPage } from "./OperatorPage.tsx";

const list = operatorList("organisations", operator.organisations.list);

/** Who uses the installation. */
export function OrganisationsPage() {
  const organisations = useInfiniteQuery(list);
  const [isCreating, setCreating] = useState(false);
  return (
    <OperatorPage
      title="Organisations"
      says="Everybody who uses this installation, and nothing of what is theirs."
      error={organisations.error}
      aside={
        <Button
          look="primary"
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => setCreating(true)}
        >
          Create an organisation
        </Button>
      }
    >
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {rowsOf(organisations.data).map(({ id, name, created_at }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
            <span className="min-w-0 grow basis-48 truncate font-medium">{name}</span>
            <span className="text-xs text-muted">since {dayOf(created_at)}</span>
            <span className="flex min-w-0 items-center gap-1 text-xs text-muted">
              <code className="truncate font-mono">{id}</code>
              <CopyButton text={id} label={`Copy the id of ${name}`} />
            </span>
          </li>
        ))}
      </ul>
      <MoreRows list={organisations} />
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </OperatorPage>
  );
}

function CreateDialog({ onClose }: { onClose(): void }) {
  const queries = useQueryClient();
  const form = useForm({ defaultValues: { name: "", owner_email: "" } });
  const create = useMutation({
    mutationFn: ({ name, owner_email }: { name: string; owner_email: string }) =>
      withSession(() =>
        operator.organisations.create({
          name: name.trim(),
          ...(owner_email.trim() && { owner_email: owner_email.trim() }),
        }),
      ),
    meta: { isShownInPlace: true },
    onSuccess: async ({ name }, { owner_email }) => {
      tellDone(`${name} is made`, owner_email && `${owner_email} is invited as its owner.`);
      onClose();
      await queries.invalidateQueries({ queryKey: list.queryKey });
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Create an organisation">
      <form
        className="grid gap-5"
        noValidate
        onSubmit={(event) => void form.handleSubmit((values) => create.mutate(values))(event)}
      >
        <TextField
          label="Name"
          maxLength={200}
          autoFocus
          error={form.formState.errors.name?.message}
          {...form.register("name", { validate: (name) => name.trim() !== "" || "Give it a name." })}
        />
        <TextField
          label="E-mail address of its first owner"
          type="email"
          hint="Optional. They are invited by mail."
          {...form.register("owner_email")}
        />
        {create.error && <FailureNotice error={create.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={create.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
