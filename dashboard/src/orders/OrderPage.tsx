import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Info, ShieldX } from "lucide-react";
import { useForm } from "react-hook-form";
import type { PlaceOrder } from "@dialplane/sdk";
import { AsCode } from "../as-code/AsCode.tsx";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Page } from "../components/Page.tsx";
import { Segments } from "../components/Segments.tsx";
import { bodyOf, NEW_ROUTING, type RoutingValues } from "../numbers/routing-form.ts";
import { withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { InventoryPicker } from "./InventoryPicker.tsx";
import { FIRST_VALUES, orderOf, type OrderValues } from "./order-form.ts";
import type { OrderSearch, Way } from "./order-search.ts";
import { OrderDetails } from "./OrderDetails.tsx";
import { CriteriaFields, ListField } from "./OrderFields.tsx";
import { ordersText } from "./orders-text.ts";
import { sharedText } from "../components/shared-text.ts";

const route = getRouteApi("/signed-in/o/$organisation/$environment/order");

export function OrderPage() {
  useTitle(sharedText.orderNumbers);
  const place = useOpenPlace();
  const mayOrder = place.role === "owner" || place.role === "admin";
  return (
    <Page
      title={sharedText.orderNumbers}
      says={ordersText.about}
      back={{ label: sharedText.numbers, to: "/o/$organisation/$environment/numbers" }}
    >
      {mayOrder ? (
        <OrderForm place={place} />
      ) : (
        <EmptyState icon={ShieldX} title={ordersText.denied}>
          {ordersText.deniedHint(place.name)}
        </EmptyState>
      )}
    </Page>
  );
}

function OrderForm({ place }: { place: OpenPlace }) {
  const { organisation, environment } = place;
  const search = route.useSearch();
  const way = search.by ?? "criteria";
  const navigate = useNavigate();
  const show = (wanted: OrderSearch): void =>
    void navigate({
      to: "/o/$organisation/$environment/order",
      params: { organisation, environment },
      search: wanted,
      replace: true,
    });
  const form = useForm<OrderValues>({ defaultValues: FIRST_VALUES });
  const routing = useForm<RoutingValues>({ defaultValues: NEW_ROUTING });
  const order = usePlacing(place);
  const bodyFor = (values: OrderValues): PlaceOrder => {
    const wanted = values.isRouted ? bodyOf(routing.getValues()) : undefined;
    return orderOf(way, values, { reservation: search.reservation, routing: wanted });
  };
  const submit = form.handleSubmit(async (values) => {
    if (values.isRouted && !(await routing.trigger())) return;
    order.mutate(bodyFor(values));
  });
  const isReady = way !== "inventory" || search.reservation !== undefined;
  return (
    <form className="grid gap-6" noValidate onSubmit={(event) => void submit(event)}>
      <WayChoice place={place} way={way} onChange={(by) => show({ ...search, by })} />
      {way === "criteria" && <CriteriaFields form={form} />}
      {way === "list" && <ListField form={form} />}
      {way === "inventory" && (
        <InventoryPicker
          place={place}
          reservation={search.reservation}
          onReserve={(reservation) => show({ by: way, ...(reservation && { reservation }) })}
        />
      )}
      <OrderDetails place={place} form={form} routing={routing} />
      {order.error && <FailureNotice error={order.error} />}
      <div className="flex flex-wrap items-center justify-end gap-3">
        <p className="grow text-xs text-ink-2">
          {environment === "test" ? ordersText.testHint : ordersText.liveHint}
        </p>
        <AsCode
          of={ordersText.order}
          call={() => ({ operation: "placeOrder", body: bodyFor(form.getValues()) })}
        />
        <Button type="submit" look="primary" isPending={order.isPending} disabled={!isReady}>
          {ordersText.place}
        </Button>
      </div>
    </form>
  );
}

function usePlacing(place: OpenPlace) {
  const { organisation, environment, client } = place;
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: PlaceOrder) => withSession(() => client.orders.place(body)),
    meta: { isShownInPlace: true },
    onSuccess: async ({ job_id }) => {
      await navigate({
        to: "/o/$organisation/$environment/jobs/$job",
        params: { organisation, environment, job: job_id },
      });
      await queries.invalidateQueries({ queryKey: [organisation, environment] });
    },
  });
}

interface WayChoiceProps {
  place: OpenPlace;
  way: Way;
  onChange(way: Way): void;
}

/** States that no inventory is connected instead of hiding the option. */
function WayChoice({ place, way, onChange }: WayChoiceProps) {
  const { organisation, environment, client } = place;
  const inventory = useQuery({
    queryKey: [organisation, environment, "inventory-connected"],
    queryFn: ({ signal }) =>
      withSession(() => client.inventory.search({ country: "US", limit: 1 }, { signal })),
    staleTime: 60_000,
  });
  const isConnected = inventory.data?.carrier.connected;
  return (
    <div className="grid gap-3">
      <div>
        <Segments
          label={ordersText.method}
          value={way}
          choices={[
            { value: "criteria", label: ordersText.methods.criteria },
            { value: "list", label: ordersText.methods.list },
            { value: "inventory", label: ordersText.methods.inventory },
          ]}
          onChange={onChange}
        />
      </div>
      {isConnected === false && (
        <p className="flex gap-2.5 rounded-lg border border-line bg-surface p-3 text-sm">
          <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-2" />
          <span>{ordersText.noInventory}</span>
        </p>
      )}
    </div>
  );
}
