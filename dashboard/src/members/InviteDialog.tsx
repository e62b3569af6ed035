import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { FormDialog } from "../components/FormDialog.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { TextField } from "../components/TextField.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { useFieldErrors } from "../components/use-field-errors.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { type Role, rolesGivenBy } from "./roles.ts";
import { membersText } from "./members-text.ts";

/** Sends an invitation by email. Recipients without an account create one. */
export function InviteDialog({ place, onClose }: { place: OpenPlace; onClose(): void }) {
  const queries = useQueryClient();
  const form = useForm<{ email: string; role: Role }>({ defaultValues: { email: "", role: "member" } });
  const invite = useMutation({
    mutationFn: ({ email, role }: { email: string; role: Role }) =>
      withSession(() => place.client.invitations.invite({ email: email.trim(), role })),
    meta: { isShownInPlace: true },
    onSuccess: async ({ email }) => {
      tellDone(membersText.invited(email), membersText.invitedDetail);
      onClose();
      await queries.invalidateQueries({ queryKey: [place.organisation, "invitations"] });
    },
  });
  useFieldErrors(form, invite.error);
  return (
    <FormDialog
      onClose={onClose}
      title={membersText.inviteTitle(place.name)}
      asCode={() => ({ operation: "inviteMember", body: form.getValues() })}
      action={membersText.invite}
      mutation={invite}
      onSubmit={form.handleSubmit((values) => invite.mutate(values))}
    >
      <TextField
        label={sharedText.emailAddress}
        type="email"
        autoFocus
        error={form.formState.errors.email?.message}
        {...form.register("email", {
          required: membersText.emailRequired,
          pattern: { value: /^\s*[^\s@]+@[^\s@]+\s*$/, message: membersText.emailInvalid },
        })}
      />
      <SelectField
        label={membersText.role}
        hint={membersText.roles[form.watch("role")]}
        {...form.register("role")}
      >
        {rolesGivenBy(place.role).map((role) => (
          <option key={role} value={role}>
            {wordFor(role)}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
