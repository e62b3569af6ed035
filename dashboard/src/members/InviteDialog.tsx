import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { FormDialog } from "../components/FormDialog.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { wordFor } from "../numbers/words.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { type Role, ROLE_SAYS, rolesGivenBy } from "./roles.ts";

/** Sends an invitation by mail. A recipient without an account creates one with it. */
export function InviteDialog({ place, onClose }: { place: OpenPlace; onClose(): void }) {
  const queries = useQueryClient();
  const form = useForm<{ email: string; role: Role }>({ defaultValues: { email: "", role: "member" } });
  const invite = useMutation({
    mutationFn: ({ email, role }: { email: string; role: Role }) =>
      withSession(() => place.client.invitations.invite({ email: email.trim(), role })),
    meta: { isShownInPlace: true },
    onSuccess: async ({ email }) => {
      tellDone(`${email} is invited`, "The invitation is on its way by mail.");
      onClose();
      await queries.invalidateQueries({ queryKey: [place.organisation, "invitations"] });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`Invite somebody into ${place.name}`}
      asCode={() => ({ operation: "inviteMember", body: form.getValues() })}
      action="Invite"
      isPending={invite.isPending}
      error={invite.error}
      onSubmit={form.handleSubmit((values) => invite.mutate(values))}
    >
      <TextField
        label="E-mail address"
        type="email"
        autoFocus
        error={form.formState.errors.email?.message}
        {...form.register("email", { required: "Enter their address." })}
      />
      <SelectField label="Role" hint={ROLE_SAYS[form.watch("role")]} {...form.register("role")}>
        {rolesGivenBy(place.role).map((role) => (
          <option key={role} value={role}>
            {wordFor(role)}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
