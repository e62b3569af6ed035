import type { Organisation } from "@dialplane/sdk/operator";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { CopyButton } from "../components/CopyButton.tsx";
import { FormDialog } from "../components/FormDialog.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { rowsOf } from "../components/paging.ts";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { dayOf } from "../components/dates.ts";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { OperatorPage } from "./OperatorPage.tsx";
import { OrganisationDialog } from "./OrganisationDialogs.tsx";
import { FOLLOW_MS, organisationsList } from "./organisations-list.ts";
import { OrganisationStatus } from "./OrganisationStatus.tsx";
import { operatorText } from "./operator-text.ts";
import { sharedText } from "../components/shared-text.ts";
import { useFieldErrors } from "../components/use-field-errors.ts";

/** Organisations of the installation. */
export function OrganisationsPage() {
  const organisations = useInfiniteQuery({
    ...organisationsList,
    // Followed while numbers are being suspended or resumed.
    refetchInterval: ({ state: { data, error } }) =>
      !error && rowsOf(data).some((one) => one.numbers_pending) && FOLLOW_MS,
  });
  const [isCreating, setCreating] = useState(false);
  const [opened, setOpened] = useState<Organisation>();
  return (
    <OperatorPage
      title={operatorText.organisations.title}
      says={operatorText.organisations.about}
      error={organisations.error}
      aside={
        <Button
          look="primary"
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => setCreating(true)}
        >
          {operatorText.organisations.create}
        </Button>
      }
    >
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {rowsOf(organisations.data).map((one) => (
          <Row key={one.id} one={one} onOpen={() => setOpened(one)} />
        ))}
      </ul>
      <MoreRows list={organisations} />
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
      {opened && <OrganisationDialog one={opened} onClose={() => setOpened(undefined)} />}
    </OperatorPage>
  );
}

function Row({ one, onOpen }: { one: Organisation; onOpen(): void }) {
  const { id, name, created_at, suspended_at, suspension_reason } = one;
  const action = suspended_at ? operatorText.resume : operatorText.suspend;
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 hover:bg-hover">
      <div className="grid min-w-0 grow basis-48">
        <Link
          to="/operator/organisations/$organisation"
          params={{ organisation: id }}
          className="truncate rounded font-medium after:absolute after:inset-0"
        >
          {name}
        </Link>
        {suspension_reason && <span className="text-xs text-ink-2">{suspension_reason}</span>}
      </div>
      <OrganisationStatus one={one} />
      <span className="text-xs text-ink-2">{operatorText.organisations.since(dayOf(created_at))}</span>
      <span className="flex min-w-0 items-center gap-1 text-xs text-ink-2">
        <code className="truncate font-mono">{id}</code>
        <span className="relative">
          <CopyButton text={id} label={operatorText.organisations.copyId(name)} />
        </span>
      </span>
      <Button size="small" className="relative" aria-label={`${action} ${name}`} onClick={onOpen}>
        {action}
      </Button>
    </li>
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
      tellDone(
        operatorText.organisations.created(name),
        owner_email && operatorText.organisations.ownerInvited(owner_email),
      );
      onClose();
      await queries.invalidateQueries({ queryKey: organisationsList.queryKey });
    },
  });
  useFieldErrors(form, create.error);
  return (
    <FormDialog
      onClose={onClose}
      title={operatorText.organisations.create}
      action={sharedText.create}
      mutation={create}
      onSubmit={form.handleSubmit((values) => create.mutate(values))}
    >
      <TextField
        label={sharedText.name}
        maxLength={200}
        autoFocus
        error={form.formState.errors.name?.message}
        {...form.register("name", { validate: (name) => name.trim() !== "" || sharedText.nameRequired })}
      />
      <TextField
        label={operatorText.organisations.ownerEmail}
        type="email"
        hint={operatorText.organisations.ownerEmailHint}
        error={form.formState.errors.owner_email?.message}
        {...form.register("owner_email", {
          pattern: { value: /^\s*([^\s@]+@[^\s@]+)?\s*$/, message: operatorText.organisations.emailInvalid },
        })}
      />
    </FormDialog>
  );
}
