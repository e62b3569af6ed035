import type { WaitingDevice } from "@dialplane/sdk";
import { useMutation } from "@tanstack/react-query";
import { CircleCheck, CircleSlash } from "lucide-react";
import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { TextField } from "../components/TextField.tsx";
import { momentOf } from "../components/dates.ts";
import { useTitle } from "../shell/use-title.ts";
import { client } from "./client.ts";
import { withSession } from "./session.ts";
import { SignInLayout } from "./SignInLayout.tsx";
import { sessionText } from "./session-text.ts";

/**
 * The user types the code. It is never read from the URL, so that a phishing link cannot authorise an
 * attacker's tool.
 */
export function DevicePage() {
  useTitle(sessionText.authorise);
  const form = useForm({ defaultValues: { code: "" } });
  const lookUp = useMutation({
    mutationFn: (user_code: string) =>
      withSession(() => client.call("lookUpDevice", { body: { user_code } })),
    meta: { isShownInPlace: true },
  });
  if (lookUp.data) return <Waiting device={lookUp.data} userCode={lookUp.variables} />;
  return (
    <SignInLayout title={sessionText.authorise} lead={sessionText.deviceHint}>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => void form.handleSubmit(({ code }) => lookUp.mutate(code.trim()))(event)}
      >
        {lookUp.error && <FailureNotice error={lookUp.error} />}
        <TextField
          label={sessionText.code}
          autoFocus
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={form.formState.errors.code?.message}
          {...form.register("code", { required: sessionText.codeRequired })}
        />
        <Button type="submit" look="primary" isPending={lookUp.isPending}>
          {sessionText.continue}
        </Button>
      </form>
    </SignInLayout>
  );
}

function Waiting({ device, userCode }: { device: WaitingDevice; userCode: string }) {
  const decide = useMutation({
    mutationFn: (operation: "approveDevice" | "denyDevice") =>
      withSession(() => client.call(operation, { body: { user_code: userCode } })),
    meta: { isShownInPlace: true },
  });
  if (decide.isSuccess)
    return (
      <main className="grid min-h-dvh place-items-center">
        {decide.variables === "approveDevice" ? (
          <EmptyState isPage icon={CircleCheck} title={sessionText.deviceAuthorised(device.client_name)}>
            {sessionText.deviceAuthorisedHint}
          </EmptyState>
        ) : (
          <EmptyState isPage icon={CircleSlash} title={sessionText.denied}>
            {sessionText.closeTab}
          </EmptyState>
        )}
      </main>
    );
  return (
    <SignInLayout
      title={sessionText.authoriseTitle(device.client_name)}
      lead={sessionText.deviceAuthoriseHint}
      below={sessionText.deviceWarning}
    >
      <dl className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
        <Line term={sessionText.deviceAddress} detail={device.address ?? sessionText.unknown} />
        <Line term={sessionText.deviceProgram} detail={device.user_agent ?? sessionText.unknown} />
        <Line term={sessionText.deviceRequested} detail={momentOf(device.created_at)} />
        <Line term={sessionText.deviceExpires} detail={momentOf(device.expires_at)} />
      </dl>
      {decide.error && <FailureNotice error={decide.error} />}
      <div className="grid grid-cols-2 gap-2">
        <Button isPending={decide.isPending} onClick={() => decide.mutate("denyDevice")}>
          {sessionText.deny}
        </Button>
        <Button look="primary" isPending={decide.isPending} onClick={() => decide.mutate("approveDevice")}>
          {sessionText.allow}
        </Button>
      </div>
    </SignInLayout>
  );
}

function Line({ term, detail }: { term: string; detail: string }) {
  return (
    <div className="grid grid-cols-[7rem_1fr] gap-2 px-3 py-2">
      <dt className="text-ink-2">{term}</dt>
      <dd className="min-w-0 break-words">{detail}</dd>
    </div>
  );
}
