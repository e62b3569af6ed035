import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { TextField } from "../components/TextField.tsx";
import { client } from "./client.ts";
import { provePasskey } from "./passkey.ts";
import { passkeysQuery } from "./session.ts";
import { LINK_CLASS } from "./SignInLayout.tsx";
import { sessionText } from "./session-text.ts";
import { sharedText } from "../components/shared-text.ts";

/** Reauthentication by password or passkey. */
export function ConfirmForm({ onConfirmed }: { onConfirmed(): void }) {
  const form = useForm({ defaultValues: { password: "" } });
  const passkeys = useQuery(passkeysQuery);
  const byPassword = useMutation({
    mutationFn: (body: { password: string }) => client.sessions.reauthenticate(body),
    meta: { isShownInPlace: true },
    onSuccess: onConfirmed,
  });
  const byPasskey = useMutation({
    mutationFn: async () => {
      const credential = await provePasskey(await client.call("askForPasskey", {}));
      await client.call("reauthenticateWithPasskey", { body: { credential } });
    },
    meta: { isShownInPlace: true },
    onSuccess: onConfirmed,
  });
  const error = byPassword.error ?? byPasskey.error;
  return (
    <form
      className="grid gap-4"
      noValidate
      onSubmit={(event) => void form.handleSubmit((values) => byPassword.mutate(values))(event)}
    >
      {error && <FailureNotice error={error} />}
      <TextField
        label={sessionText.password}
        type="password"
        autoComplete="current-password"
        autoFocus
        aside={
          // Users of single sign-on may have no password.
          <a href="/reset-password" target="_blank" rel="noopener" className={`${LINK_CLASS} text-xs`}>
            {sessionText.noPassword}
          </a>
        }
        error={form.formState.errors.password?.message}
        {...form.register("password", { required: sessionText.passwordRequired })}
      />
      <Button type="submit" look="primary" isPending={byPassword.isPending}>
        {sharedText.confirm}
      </Button>
      {(passkeys.data?.data.length ?? 0) > 0 && (
        <Button
          icon={<KeyRound aria-hidden className="size-4" />}
          isPending={byPasskey.isPending}
          onClick={() => byPasskey.mutate()}
        >
          {sessionText.usePasskey}
        </Button>
      )}
    </form>
  );
}
