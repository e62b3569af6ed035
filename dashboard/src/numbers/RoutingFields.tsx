import type { Connection } from "@dialplane/sdk";
import { useId } from "react";
import type { UseFormReturn } from "react-hook-form";
import { INPUT_CLASS, TextField } from "../components/TextField.tsx";
import { MODES } from "./numbers-search.ts";
import type { RoutingValues } from "./routing-form.ts";
import { wordFor } from "../components/shared-text.ts";
import { numbersText } from "./numbers-text.ts";

interface RoutingFieldsProps {
  form: UseFormReturn<RoutingValues>;
  connections: readonly Connection[];
}

export function RoutingFields({ form, connections }: RoutingFieldsProps) {
  const mode = form.watch("mode");
  return (
    <>
      <fieldset className="grid gap-1.5">
        <legend className="mb-1.5 text-sm font-medium">{numbersText.mode}</legend>
        <div className="flex flex-wrap gap-1.5">
          {MODES.map((one) => (
            <label
              key={one}
              className="cursor-pointer rounded-md border border-line px-2.5 py-1.5 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent"
            >
              <input type="radio" value={one} className="sr-only" {...form.register("mode")} />
              {wordFor(one)}
            </label>
          ))}
        </div>
        <p className="text-xs text-muted">{numbersText.modeHints[mode]}</p>
      </fieldset>
      <TargetField form={form} connections={connections} />
    </>
  );
}

function TargetField({ form, connections }: RoutingFieldsProps) {
  const mode = form.watch("mode");
  const { errors } = form.formState;
  switch (mode) {
    case "sip_uri":
      return (
        <TextField
          label={numbersText.sipUri}
          placeholder={numbersText.sipUriExample}
          error={errors.sip_uri?.message}
          {...form.register("sip_uri", { required: numbersText.sipUriRequired })}
        />
      );
    case "forward":
      return (
        <TextField
          label={numbersText.phoneNumber}
          type="tel"
          placeholder="+49 30 1234567"
          error={errors.forward_to?.message}
          {...form.register("forward_to", { required: numbersText.phoneNumberRequired })}
        />
      );
    case "webhook":
      return (
        <TextField
          label={numbersText.webhookUrl}
          type="url"
          placeholder={numbersText.webhookUrlExample}
          error={errors.webhook_url?.message}
          {...form.register("webhook_url", { required: numbersText.webhookUrlRequired })}
        />
      );
    case "connection":
      return <ConnectionField form={form} connections={connections} />;
    case "unrouted":
      return null;
  }
}

function ConnectionField({ form, connections }: RoutingFieldsProps) {
  const id = useId();
  const error = form.formState.errors.connection_id?.message;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {numbersText.connection}
      </label>
      <select
        id={id}
        className={INPUT_CLASS}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-note`}
        {...form.register("connection_id", { required: numbersText.connectionRequired })}
      >
        <option value="">{numbersText.choose}</option>
        {connections.map((connection) => (
          <option key={connection.id} value={connection.id}>
            {connection.name}
          </option>
        ))}
      </select>
      <p id={`${id}-note`} className={`text-xs ${error ? "text-bad" : "text-muted"}`}>
        {error ?? (connections.length === 0 ? numbersText.noConnections : "")}
      </p>
    </div>
  );
}
