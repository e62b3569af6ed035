import type { Organisation } from "@dialplane/sdk/operator";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
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
import { operatorList } from "./operator-list.ts";
import { OperatorPage } from "./OperatorPage.tsx";
import { ResumeDialog, SuspendDialog } from "./OrganisationDialogs.tsx";
import { StatusMark } from "./StatusMark.tsx";
import { operatorText } from "./operator-text.ts";
import { sharedText } from "../components/shared-text.ts";

const list = operatorList("organisations", operator.organisations.list);
const FOLLOW_MS = 2_000;

/** Organisations of the installation. */
export function OrganisationsPage() {
  const organisations = useInfiniteQuery({
    ...list,
    // Followed while numbers are being suspended or resumed.
    refetchInterval: ({ state: { data, error } }) =>
      !error && rowsOf(data).some((one) => one.numbers_pending) && FOLLOW_MS,
  });
  const [isCreating, setCreating] = useState(false);
  const [opened, setOpened] = useState<Organisation>();
  const OrganisationDialog = opened?.suspended_at ? ResumeDialog : SuspendDialog;
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
      {opened && (
        <OrganisationDialog one={opened} listKey={list.queryKey} onClose={() => setOpened(undefined)} />
      )}
    </OperatorPage>
  );
}

function Row({ one, onOpen }: { one: Organisation; onOpen(): void }) {
  const { id, name, created_at, suspended_at, suspension_reason } = one;
  const action = suspended_at ? operatorText.resume : operatorText.suspend;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <div className="grid min-w-0 grow basis-48">
        <span className="truncate font-medium">{name}</span>
        {suspension_reason && <span className="text-xs text-muted">{suspension_reason}</span>}
      </div>
      <StatusMark look={suspended_at ? "stopped" : "active"}>{statusOf(one)}</StatusMark>
      <span className="text-xs text-muted">{operatorText.organisations.since(dayOf(created_at))}</span>
      <span className="flex min-w-0 items-center gap-1 text-xs text-muted">
        <code className="truncate font-mono">{id}</code>
        <CopyButton text={id} label={operatorText.organisations.copyId(name)} />
      </span>
      <Button size="small" aria-label={`${action} ${name}`} onClick={onOpen}>
        {action}
      </Button>
    </li>
  );
}

function statusOf({ suspended_at, numbers_suspended, numbers_pending }: Organisation): string {
  if (numbers_pending)
    return numbers_suspended
      ? operatorText.organisations.suspendingNumbers
      : operatorText.organisations.resumingNumbers;
  if (!suspended_at) return operatorText.organisations.active;
  return numbers_suspended
    ? operatorText.organisations.suspendedWithNumbers
    : operatorText.organisations.suspended;
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
      await queries.invalidateQueries({ queryKey: list.queryKey });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={operatorText.organisations.create}
      action={sharedText.create}
      isPending={create.isPending}
      error={create.error}
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
        {...form.register("owner_email")}
      />
    </FormDialog>
  );
}
