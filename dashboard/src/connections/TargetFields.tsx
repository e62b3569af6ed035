import { Plus, Trash2 } from "lucide-react";
import { useFieldArray, type UseFormReturn } from "react-hook-form";
import { Button } from "../components/Button.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { TextField } from "../components/TextField.tsx";
import { connectionsText } from "./connections-text.ts";

export interface ConnectionValues {
  name: string;
  max_calls: string;
  ring_seconds: string;
  /** Separated by commas. */
  sources: string;
  targets: {
    host: string;
    port: string;
    transport: "udp" | "tcp" | "tls";
    priority: string;
    weight: string;
  }[];
}

export const NEW_TARGET = { host: "", port: "", transport: "udp", priority: "1", weight: "1" } as const;

type Form = UseFormReturn<ConnectionValues>;

/** Targets of a connection, in failover order. */
export function TargetFields({ form }: { form: Form }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "targets" });
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-medium">{connectionsText.targets}</legend>
      {fields.map((field, at) => (
        <Target
          key={field.id}
          form={form}
          at={at}
          onRemove={fields.length > 1 ? () => remove(at) : undefined}
        />
      ))}
      <div>
        <Button
          size="small"
          icon={<Plus aria-hidden className="size-3.5" />}
          onClick={() => append({ ...NEW_TARGET, priority: String(fields.length + 1) })}
        >
          {connectionsText.addTarget}
        </Button>
      </div>
    </fieldset>
  );
}

function isPort(text: string): boolean {
  const port = Number(text);
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}

interface TargetProps {
  form: Form;
  at: number;
  onRemove: (() => void) | undefined;
}

/** Empty, or digits only. */
export const WHOLE_NUMBER = /^\s*\d*\s*$/;

function Target({ form, at, onRemove }: TargetProps) {
  const errors = form.formState.errors.targets?.[at];
  const number = (name: "priority" | "weight", label: string) => (
    <TextField
      className="w-24"
      label={label}
      inputMode="numeric"
      error={errors?.[name]?.message}
      {...form.register(`targets.${at}.${name}`, {
        pattern: { value: WHOLE_NUMBER, message: connectionsText.numberInvalid },
      })}
    />
  );
  return (
    <div className="grid gap-3 rounded-md border border-line p-3 sm:grid-cols-[1fr_5rem_6rem]">
      <TextField
        label={connectionsText.host(at + 1)}
        placeholder={connectionsText.hostExample}
        error={errors?.host?.message}
        {...form.register(`targets.${at}.host`, { required: connectionsText.hostRequired })}
      />
      <TextField
        label={connectionsText.port}
        placeholder="5060"
        inputMode="numeric"
        error={errors?.port?.message}
        {...form.register(`targets.${at}.port`, {
          validate: (text) => text.trim() === "" || isPort(text) || connectionsText.portInvalid,
        })}
      />
      <SelectField label={connectionsText.transport} {...form.register(`targets.${at}.transport`)}>
        <option value="udp">{connectionsText.transports.udp}</option>
        <option value="tcp">{connectionsText.transports.tcp}</option>
        <option value="tls">{connectionsText.transports.tls}</option>
      </SelectField>
      <div className="flex flex-wrap items-end gap-3 sm:col-span-3">
        {number("priority", connectionsText.priority)}
        {number("weight", connectionsText.weight)}
        <p className="min-w-0 grow basis-40 pb-2 text-xs text-ink-2">{connectionsText.priorityHint}</p>
        {onRemove && (
          <Button
            look="quiet"
            size="icon"
            aria-label={connectionsText.removeTarget(at + 1)}
            onClick={onRemove}
          >
            <Trash2 aria-hidden className="size-4" />
          </Button>
        )}
      </div>
    </div>
  );
}
