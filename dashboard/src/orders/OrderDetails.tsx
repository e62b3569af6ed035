import { useQuery } from "@tanstack/react-query";
import type { UseFormReturn } from "react-hook-form";
import { CheckField } from "../components/CheckField.tsx";
import { TextField } from "../components/TextField.tsx";
import type { RoutingValues } from "../numbers/routing-form.ts";
import { connectionsQuery } from "../numbers/routing-queries.ts";
import { RoutingFields } from "../numbers/RoutingFields.tsx";
import type { OpenPlace } from "../shell/use-place.ts";
import type { OrderValues } from "./order-form.ts";

interface OrderDetailsProps {
  place: OpenPlace;
  form: UseFormReturn<OrderValues>;
  routing: UseFormReturn<RoutingValues>;
}

/** Labels and initial routing of the ordered numbers. */
export function OrderDetails({ place, form, routing }: OrderDetailsProps) {
  const isRouted = form.watch("isRouted");
  const connections = useQuery({ ...connectionsQuery(place), enabled: isRouted }).data ?? [];
  return (
    <fieldset className="grid gap-4 rounded-lg border border-line bg-surface p-4">
      <legend className="sr-only">What they are for</legend>
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField label="Label" hint="Optional." maxLength={200} {...form.register("label")} />
        <TextField label="Tags" hint="Optional, with commas between." {...form.register("tags")} />
        <TextField
          label="Your reference"
          hint="Optional, such as PO-4711."
          maxLength={200}
          {...form.register("external_ref")}
        />
      </div>
      <CheckField
        label="All or nothing"
        hint="If one cannot be had, none is kept; those bought meanwhile are given back."
        {...form.register("all_or_nothing")}
      />
      <CheckField
        label="Route them at once"
        hint="Otherwise their calls are turned away until you say where they go."
        {...form.register("isRouted")}
      />
      {isRouted && (
        <div className="grid gap-4 border-l-2 border-line pl-4">
          <RoutingFields form={routing} connections={connections} />
        </div>
      )}
    </fieldset>
  );
}
