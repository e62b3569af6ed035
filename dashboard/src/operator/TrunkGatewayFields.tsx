import type { UseFormReturn } from "react-hook-form";
import { CheckField } from "../components/CheckField.tsx";
import { TextField } from "../components/TextField.tsx";
import { isWhole, type Trunk, type TrunkValues } from "./trunk-form.ts";
import { trunksText } from "./trunks-text.ts";

/** Destination of forwarded calls. A trunk that only sends calls has none. */
export function TrunkGatewayFields({
  form,
  one,
}: {
  form: UseFormReturn<TrunkValues>;
  one: Trunk | undefined;
}) {
  const errors = form.formState.errors.gateway;
  if (form.watch("direction") === "in" && !one?.gateway) return null;
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="mb-2 text-sm font-medium">{trunksText.gateway}</legend>
      <TextField label={trunksText.host} error={errors?.host?.message} {...form.register("gateway.host")} />
      <TextField
        label={trunksText.port}
        inputMode="numeric"
        error={errors?.port?.message}
        {...form.register("gateway.port", { validate: (typed) => isWhole(typed) || trunksText.wholeNumber })}
      />
      <TextField
        label={trunksText.username}
        autoComplete="off"
        error={errors?.username?.message}
        {...form.register("gateway.username")}
      />
      <TextField
        label={trunksText.password}
        type="password"
        autoComplete="new-password"
        hint={one?.gateway?.password_set_at ? trunksText.passwordKept : undefined}
        error={errors?.password?.message}
        {...form.register("gateway.password")}
      />
      <div className="grid gap-2 sm:col-span-2">
        <CheckField label={trunksText.inTrustDomain} {...form.register("gateway.in_trust_domain")} />
        <CheckField label={trunksText.historyInfo} {...form.register("gateway.history_info")} />
      </div>
    </fieldset>
  );
}
