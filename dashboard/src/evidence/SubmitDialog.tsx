import type { Order, RequirementSubmission } from "@dialplane/sdk";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { FormDialog } from "../components/FormDialog.tsx";
import { rowsOf } from "../components/paging.ts";
import { SelectField } from "../components/SelectField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { AddressFields } from "./AddressFields.tsx";
import { DocumentFields } from "./DocumentFields.tsx";
import { EndUserFields, type EndUserValues, endUserOf, NO_END_USER } from "./EndUserFields.tsx";
import {
  addressOf,
  type AddressValues,
  documentOf,
  type DocumentValues,
  NO_ADDRESS,
} from "./evidence-form.ts";
import { addressesQuery, documentsQuery } from "./evidence-queries.ts";
import { evidenceText } from "./evidence-text.ts";
import type { RequirementGroup } from "./requirement-groups.ts";

interface SubmitDialogProps {
  place: OpenPlace;
  order: Order;
  requirement: RequirementGroup;
  onClose(): void;
}

/** Evidence without its requirement. */
type Given = { address_id: string } | { document_id: string } | { end_user: ReturnType<typeof endUserOf> };

export function SubmitDialog(props: SubmitDialogProps) {
  switch (props.requirement.type) {
    case "document":
      return <SubmitDocument {...props} />;
    case "end_user":
      return <SubmitEndUser {...props} />;
    default:
      return <SubmitAddress {...props} />;
  }
}

/** One submission for all numbers that still need it. */
function useSubmission<Values>(
  { place, order, requirement, onClose }: SubmitDialogProps,
  give: (values: Values) => Promise<Given>,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (values: Values) => {
      const submission: RequirementSubmission = { requirement_id: requirement.id, ...(await give(values)) };
      return withSession(() =>
        place.client.orders.submitRequirements(order.id, { submissions: [submission] }),
      );
    },
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(evidenceText.submitted, evidenceText.submittedHint);
      onClose();
      await queries.invalidateQueries({ queryKey: [place.organisation, place.environment] });
    },
  });
}

function frameOf({ order, requirement, onClose }: SubmitDialogProps) {
  return {
    title: evidenceText.submitTitle,
    description: requirement.description,
    size: "large" as const,
    action: evidenceText.submit,
    onClose,
    asCode: () => ({
      operation: "submitRequirements" as const,
      path: { id: order.id },
      body: { submissions: [{ requirement_id: requirement.id, ...SAMPLES[requirement.type] }] as never },
    }),
  };
}

const SAMPLES: Record<string, object> = {
  address: { address_id: "ADDRESS_ID" },
  document: { document_id: "DOCUMENT_ID" },
  end_user: { end_user: { name: "Ada Lovelace" } },
};

function SubmitAddress(props: SubmitDialogProps) {
  const { place, requirement } = props;
  const list = useInfiniteQuery(addressesQuery(place));
  const fitting = rowsOf(list.data).filter(
    ({ country }) => !requirement.country || country === requirement.country,
  );
  const choice = useForm<{ id: string }>({ defaultValues: { id: "" } });
  const form = useForm<AddressValues>({
    defaultValues: { ...NO_ADDRESS, country: requirement.country ?? "" },
  });
  const submission = useSubmission(props, async ({ id }: { id: string }) => ({
    address_id:
      id || (await withSession(() => place.client.addresses.create(addressOf(form.getValues())))).id,
  }));
  const id = choice.watch("id");
  return (
    <FormDialog
      {...frameOf(props)}
      mutation={submission}
      onSubmit={choice.handleSubmit(async (values) => {
        if (values.id || (await form.trigger())) submission.mutate(values);
      })}
    >
      <SelectField label={evidenceText.address} {...choice.register("id")}>
        <option value="">{evidenceText.newAddress}</option>
        {fitting.map((one) => (
          <option key={one.id} value={one.id}>
            {`${one.name}, ${one.street}, ${one.city}`}
          </option>
        ))}
      </SelectField>
      {id === "" && <AddressFields form={form} />}
    </FormDialog>
  );
}

function SubmitDocument(props: SubmitDialogProps) {
  const { place, requirement } = props;
  const { document_kinds: accepted } = requirement;
  const kinds = accepted.length > 0 ? accepted : Object.keys(evidenceText.kinds);
  const list = useInfiniteQuery(documentsQuery(place));
  const fitting = rowsOf(list.data).filter(({ kind }) => kinds.includes(kind));
  const choice = useForm<{ id: string }>({ defaultValues: { id: "" } });
  const form = useForm<DocumentValues>({ defaultValues: { kind: kinds[0]!, file: null } });
  const submission = useSubmission(props, async ({ id }: { id: string }) => {
    if (id) return { document_id: id };
    const body = await documentOf(form.getValues());
    return { document_id: (await withSession(() => place.client.documents.create(body))).id };
  });
  const id = choice.watch("id");
  return (
    <FormDialog
      {...frameOf(props)}
      mutation={submission}
      onSubmit={choice.handleSubmit(async (values) => {
        if (values.id || (await form.trigger())) submission.mutate(values);
      })}
    >
      <SelectField label={evidenceText.document} {...choice.register("id")}>
        <option value="">{evidenceText.newDocument}</option>
        {fitting.map((one) => (
          <option key={one.id} value={one.id}>
            {one.file_name}
          </option>
        ))}
      </SelectField>
      {id === "" && <DocumentFields form={form} kinds={kinds} />}
    </FormDialog>
  );
}

function SubmitEndUser(props: SubmitDialogProps) {
  const form = useForm<EndUserValues>({ defaultValues: NO_END_USER });
  const submission = useSubmission(props, async (values: EndUserValues) => ({ end_user: endUserOf(values) }));
  return (
    <FormDialog
      {...frameOf(props)}
      mutation={submission}
      onSubmit={form.handleSubmit((values) => submission.mutate(values))}
    >
      <EndUserFields form={form} />
    </FormDialog>
  );
}
