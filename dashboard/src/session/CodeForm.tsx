import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { TextField } from "../components/TextField.tsx";
import { sessionText } from "./session-text.ts";

interface CodeFormProps {
  action: string;
  hint?: string;
  isPending: boolean;
  error: Error | null;
  onCode(code: string): void;
}

const USUAL_HINT = sessionText.codeHint;

/** Code of an authenticator app, or a recovery code. */
export function CodeForm({ action, hint = USUAL_HINT, isPending, error, onCode }: CodeFormProps) {
  const form = useForm({ defaultValues: { code: "" } });
  return (
    <form
      className="grid gap-4"
      noValidate
      onSubmit={(event) => void form.handleSubmit(({ code }) => onCode(code.trim()))(event)}
    >
      {error && <FailureNotice error={error} />}
      <TextField
        label={sessionText.code}
        hint={hint}
        autoComplete="one-time-code"
        autoFocus
        spellCheck={false}
        error={form.formState.errors.code?.message}
        {...form.register("code", { required: sessionText.codeRequired })}
      />
      <Button type="submit" look="primary" isPending={isPending}>
        {action}
      </Button>
    </form>
  );
}
