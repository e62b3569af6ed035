import { useQuery } from "@tanstack/react-query";
import type { UseFormReturn } from "react-hook-form";
import { CheckField } from "../components/CheckField.tsx";
import { TextField } from "../components/TextField.tsx";
import type { RoutingValues } from "../numbers/routing-form.ts";
import { connectionsQuery } from "../numbers/routing-queries.ts";
import { RoutingFields } from "../numbers/RoutingFields.tsx";
import type { OpenPlace } from "../shell/use-place.ts";
import type { OrderValues } from "./order-form.ts";
import { ordersText } from "./orders-text.ts";
import { sharedText } from "../components/shared-text.ts";

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
      <legend className="sr-only">{ordersText.details}</legend>
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField
          label={sharedText.label}
          hint={sharedText.optional}
          maxLength={200}
          {...form.register("label")}
        />
        <TextField label={sharedText.tags} hint={ordersText.tagsHint} {...form.register("tags")} />
        <TextField
          label={ordersText.reference}
          hint={ordersText.referenceHint}
          maxLength={200}
          {...form.register("external_ref")}
        />
      </div>
      <CheckField
        label={ordersText.allOrNothing}
        hint={ordersText.allOrNothingHint}
        {...form.register("all_or_nothing")}
      />
      <CheckField label={ordersText.route} hint={ordersText.routeHint} {...form.register("isRouted")} />
      {isRouted && (
        <div className="grid gap-4 border-l-2 border-line pl-4">
          <RoutingFields form={routing} connections={connections} />
        </div>
      )}
    </fieldset>
  );
}
