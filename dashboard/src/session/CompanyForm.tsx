import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { TextField } from "../components/TextField.tsx";
import { client } from "./client.ts";
import { continueTo } from "./continuation.ts";
import { sessionText } from "./session-text.ts";
import { sharedText } from "../components/shared-text.ts";

/** The email domain selects the identity provider. */
export function CompanyForm({ next, onBack }: { next: string | undefined; onBack(): void }) {
  const form = useForm({ defaultValues: { email: "" } });
  const begin = useMutation({
    mutationFn: (email: string) => client.sessions.beginWithProvider({ email }),
    meta: { isShownInPlace: true },
    onSuccess: ({ redirect_to }) => {
      if (redirect_to) {
        continueTo(next);
        location.assign(redirect_to);
      } else
        form.setError("email", {
          message: sessionText.providerUnknown,
        });
    },
  });
  return (
    <form
      className="grid gap-4"
      noValidate
      onSubmit={(event) => void form.handleSubmit(({ email }) => begin.mutate(email.trim()))(event)}
    >
      {begin.error && <FailureNotice error={begin.error} />}
      <TextField
        label={sessionText.workEmail}
        type="email"
        autoComplete="username"
        autoFocus
        error={form.formState.errors.email?.message}
        {...form.register("email", { required: sharedText.emailRequired })}
      />
      <Button type="submit" look="primary" isPending={begin.isPending || begin.data?.redirect_to != null}>
        {sessionText.continue}
      </Button>
      <Button look="quiet" onClick={onBack}>
        {sessionText.otherMethods}
      </Button>
    </form>
  );
}
