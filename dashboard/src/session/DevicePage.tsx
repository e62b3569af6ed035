import type { WaitingDevice } from "@dialplane/sdk";
import { useMutation } from "@tanstack/react-query";
import { CircleCheck, CircleSlash } from "lucide-react";
import { useForm } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { TextField } from "../components/TextField.tsx";
import { momentOf } from "../numbers/words.ts";
import { useTitle } from "../shell/use-title.ts";
import { client } from "./client.ts";
import { withSession } from "./session.ts";
import { SignInLayout } from "./SignInLayout.tsx";

/**
 * The user types the code. It is never read from the URL, so that a phishing link cannot authorise an
 * attacker's tool.
 */
export function DevicePage() {
  useTitle("Let a tool in");
  const form = useForm({ defaultValues: { code: "" } });
  const lookUp = useMutation({
    mutationFn: (user_code: string) =>
      withSession(() => client.call("lookUpDevice", { body: { user_code } })),
    meta: { isShownInPlace: true },
  });
  if (lookUp.data) return <Waiting device={lookUp.data} userCode={lookUp.variables} />;
  return (
    <SignInLayout title="Let a tool in" lead="Type the code that the tool shows.">
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => void form.handleSubmit(({ code }) => lookUp.mutate(code.trim()))(event)}
      >
        {lookUp.error && <FailureNotice error={lookUp.error} />}
        <TextField
          label="Code"
          autoFocus
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={form.formState.errors.code?.message}
          {...form.register("code", { required: "Type the code." })}
        />
        <Button type="submit" look="primary" isPending={lookUp.isPending}>
          Go on
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
          <EmptyState isPage icon={CircleCheck} title={`“${device.client_name}” is let in`}>
            It goes on by itself. You can close this tab.
          </EmptyState>
        ) : (
          <EmptyState isPage icon={CircleSlash} title="The tool was kept out">
            You can close this tab.
          </EmptyState>
        )}
      </main>
    );
  return (
    <SignInLayout
      title={`Let “${device.client_name}” in?`}
      lead="It will act as you, with all you may do except creating keys and changing how you sign in. It stays signed in for up to 30 days; you can end its session under Security. Compare what it says of itself with the tool in front of you."
      below="If somebody sent you the code, keep it out: it lets their tool in, not yours."
    >
      <dl className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
        <Line term="Asked from" detail={device.address ?? "unknown"} />
        <Line term="Says it is" detail={device.user_agent ?? "nothing"} />
        <Line term="Asked at" detail={momentOf(device.created_at)} />
        <Line term="Waits until" detail={momentOf(device.expires_at)} />
      </dl>
      {decide.error && <FailureNotice error={decide.error} />}
      <div className="grid grid-cols-2 gap-2">
        <Button isPending={decide.isPending} onClick={() => decide.mutate("denyDevice")}>
          Keep it out
        </Button>
        <Button look="primary" isPending={decide.isPending} onClick={() => decide.mutate("approveDevice")}>
          Let it in
        </Button>
      </div>
    </SignInLayout>
  );
}

function Line({ term, detail }: { term: string; detail: string }) {
  return (
    <div className="grid grid-cols-[7rem_1fr] gap-2 px-3 py-2">
      <dt className="text-muted">{term}</dt>
      <dd className="min-w-0 break-words">{detail}</dd>
    </div>
  );
}
