import type { Connection } from "@dialplane/sdk";
import { Plus, X } from "lucide-react";
import { useId } from "react";
import { useFieldArray, type UseFormReturn } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { ChoiceField } from "../components/ChoiceField.tsx";
import { INPUT_CLASS, TextField } from "../components/TextField.tsx";
import { MODES } from "./numbers-search.ts";
import { CAUSES, MOST_STEPS, NEW_STEP, type RoutingValues } from "./routing-form.ts";
import { wordFor } from "../components/shared-text.ts";
import { routingText } from "./routing-text.ts";

/** Obvious mistakes only: the service checks the rest. */
const SIP_URI = /^\s*sips?:[^\s@]+(@[^\s@]+)?\s*$/i;
const PHONE_NUMBER = /^\s*\+(?:[\s()/-]*\d){7,15}\s*$/;
const HTTPS_URL = /^\s*https:\/\/[^\s/]+/i;

interface RoutingFieldsProps {
  form: UseFormReturn<RoutingValues>;
  connections: readonly Connection[];
}

/** The first destination, and the fallbacks that take a call if it fails. */
export function RoutingFields({ form, connections }: RoutingFieldsProps) {
  const steps = useFieldArray({ control: form.control, name: "steps" });
  const isRouted = form.watch("steps.0.mode") !== "unrouted";
  const fallbacks = isRouted ? steps.fields.slice(1) : [];
  return (
    <>
      <StepFields form={form} connections={connections} at={0} hasNext={fallbacks.length > 0} />
      {fallbacks.map(({ id }, index) => (
        <section
          key={id}
          aria-label={routingText.fallbackTitle(index + 1)}
          className="grid gap-4 border-l-2 border-line pl-4"
        >
          <div className="flex items-center justify-between">
            <h3 className="text-sm font-medium">{routingText.fallbackTitle(index + 1)}</h3>
            <Button
              size="small"
              icon={<X aria-hidden className="size-3.5" />}
              onClick={() => steps.remove(index + 1)}
            >
              {routingText.removeFallback(index + 1)}
            </Button>
          </div>
          <CauseFields form={form} at={index + 1} />
          <StepFields
            form={form}
            connections={connections}
            at={index + 1}
            hasNext={index + 1 < fallbacks.length}
          />
        </section>
      ))}
      {isRouted && steps.fields.length < MOST_STEPS && (
        <div>
          <Button
            size="small"
            icon={<Plus aria-hidden className="size-3.5" />}
            onClick={() => steps.append(NEW_STEP, { shouldFocus: false })}
          >
            {routingText.addFallback}
          </Button>
        </div>
      )}
    </>
  );
}

interface StepProps extends RoutingFieldsProps {
  at: number;
}

function StepFields({ form, connections, at, hasNext }: StepProps & { hasNext: boolean }) {
  const mode = form.watch(`steps.${at}.mode`);
  const modes = at === 0 ? MODES : MODES.filter((one) => one !== "unrouted");
  return (
    <>
      <ChoiceField
        label={routingText.mode}
        hint={routingText.modeHints[mode]}
        choices={modes.map((one) => ({ value: one, label: wordFor(one) }))}
        field={form.register(`steps.${at}.mode`)}
      />
      <TargetField {...{ form, connections, at }} />
      {mode !== "unrouted" && (hasNext || form.watch(`steps.${at}.ring_seconds`) !== "") && (
        <TextField
          label={routingText.ringSeconds}
          hint={routingText.ringSecondsHint}
          type="number"
          min={5}
          max={120}
          className="max-w-60"
          error={form.formState.errors.steps?.[at]?.ring_seconds?.message}
          {...form.register(`steps.${at}.ring_seconds`, {
            min: { value: 5, message: routingText.ringSecondsInvalid },
            max: { value: 120, message: routingText.ringSecondsInvalid },
          })}
        />
      )}
    </>
  );
}

/** After a webhook, a fallback always takes the calls that the webhook does not decide. */
function CauseFields({ form, at }: Omit<StepProps, "connections">) {
  const isAfterWebhook = form.watch(`steps.${at - 1}.mode`) === "webhook";
  const id = useId();
  const error = form.formState.errors.steps?.[at]?.on?.message;
  return (
    <fieldset className="grid gap-1.5" aria-describedby={`${id}-note`}>
      <legend className="mb-1.5 text-sm font-medium">{routingText.takesCalls}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1.5">
        {CAUSES.map((cause) => (
          <label key={cause} className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              value={cause}
              className="size-4 accent-accent"
              {...form.register(`steps.${at}.on`, {
                validate: (causes) => isAfterWebhook || causes.length > 0 || routingText.causeRequired,
              })}
            />
            {wordFor(cause)}
          </label>
        ))}
      </div>
      <p id={`${id}-note`} className={`text-xs ${error ? "text-bad" : "text-ink-2"}`}>
        {error ?? (isAfterWebhook ? routingText.afterWebhookHint : routingText.takesCallsHint)}
      </p>
    </fieldset>
  );
}

function TargetField({ form, connections, at }: StepProps) {
  const mode = form.watch(`steps.${at}.mode`);
  const errors = form.formState.errors.steps?.[at];
  switch (mode) {
    case "sip_uri":
      return (
        <TextField
          label={routingText.sipUri}
          placeholder={routingText.sipUriExample}
          error={errors?.sip_uri?.message}
          {...form.register(`steps.${at}.sip_uri`, {
            required: routingText.sipUriRequired,
            pattern: { value: SIP_URI, message: routingText.sipUriInvalid },
          })}
        />
      );
    case "forward":
      return (
        <TextField
          label={routingText.phoneNumber}
          type="tel"
          placeholder="+49 30 1234567"
          error={errors?.forward_to?.message}
          {...form.register(`steps.${at}.forward_to`, {
            required: routingText.phoneNumberRequired,
            pattern: { value: PHONE_NUMBER, message: routingText.phoneNumberInvalid },
          })}
        />
      );
    case "webhook":
      return (
        <TextField
          label={routingText.webhookUrl}
          type="url"
          placeholder={routingText.webhookUrlExample}
          error={errors?.webhook_url?.message}
          {...form.register(`steps.${at}.webhook_url`, {
            required: routingText.webhookUrlRequired,
            pattern: { value: HTTPS_URL, message: routingText.webhookUrlInvalid },
          })}
        />
      );
    case "connection":
      return <ConnectionField {...{ form, connections, at }} />;
    case "unrouted":
      return null;
  }
}

function ConnectionField({ form, connections, at }: StepProps) {
  const id = useId();
  const error = form.formState.errors.steps?.[at]?.connection_id?.message;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {routingText.connection}
      </label>
      <select
        id={id}
        className={INPUT_CLASS}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-note`}
        {...form.register(`steps.${at}.connection_id`, { required: routingText.connectionRequired })}
      >
        <option value="">{routingText.choose}</option>
        {connections.map((connection) => (
          <option key={connection.id} value={connection.id}>
            {connection.name}
          </option>
        ))}
      </select>
      <p id={`${id}-note`} className={`text-xs ${error ? "text-bad" : "text-ink-2"}`}>
        {error ?? (connections.length === 0 ? routingText.noConnections : "")}
      </p>
    </div>
  );
}
