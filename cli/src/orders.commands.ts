import type { Client, Order, PlaceOrder } from "@dialplane/sdk";
import { usageFailure } from "./cli-failure.ts";
import { type Context, membershipOf } from "./cli-context.ts";
import { command, type OptionTable, type Values } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";
import { exitCodeOf, followJob, JOB_OPTIONS } from "./job-progress.ts";
import { readTarget, TARGET_OPTIONS } from "./routing-target.options.ts";
import { LIST_OPTIONS, readCount, several } from "./several.ts";
import { toneOfStatus } from "./tones.ts";

type OrderFilter = NonNullable<Parameters<Client["orders"]["list"]>[0]>;

const WANTED_OPTIONS = {
  number: { type: "string", multiple: true, value: "+1…", summary: "number to order (repeatable)" },
  country: { type: "string", value: "US", summary: "country code, to order any matching numbers" },
  type: { type: "string", value: "local", summary: "number type" },
  prefix: { type: "string", value: "1646", summary: "first digits, including the country calling code" },
  quantity: { type: "string", value: "count", summary: "quantity, with --country" },
  label: { type: "string", value: "text", summary: "label of each number" },
  tag: { type: "string", multiple: true, value: "tag", summary: "tag of each number (repeatable)" },
  ref: { type: "string", value: "text", summary: "your reference for the order" },
  "all-or-nothing": { type: "boolean", summary: "keep no numbers unless all are available" },
  "idempotency-key": {
    type: "string",
    value: "key",
    summary: "key of an order whose response was lost, to retry it safely",
  },
} as const satisfies OptionTable;

export const ORDER_COMMANDS = [
  command({
    name: "order",
    group: "Orders",
    summary: "Order numbers",
    options: { ...WANTED_OPTIONS, ...TARGET_OPTIONS, ...JOB_OPTIONS },
    details:
      "Numbers may cost money, so you confirm an order by typing the count, or with --yes. Exits with 0 if all numbers were ordered, 7 if not, and 8 if the carrier needs evidence first.",
    examples: [
      "dialplane order --country US --prefix 1646 --quantity 3 --label 'New York'",
      "dialplane order --number +17185550150 --connection 'Head office'",
    ],
    async run({ context, options }) {
      const client = await context.client();
      const wanted = await readOrder(client, options);
      const count = String(wanted.numbers?.length ?? wanted.quantity);
      await context.confirm(`Order ${describe(wanted)} ${await whereIs(context)}?`, count);
      const placed = await client.orders.place(wanted, { idempotencyKey: options["idempotency-key"] });
      if (options["no-wait"]) return showOrder(context, placed);
      const job = await followJob(context, client, placed.job_id, options.timeout);
      const order = await client.orders.get(placed.id);
      const had = order.items.filter(({ status }) => status === "succeeded").length;
      context.terminal.say(`${had} of ${order.quantity} numbers ordered (order ${order.id}).`);
      await showOrder(context, order);
      sayNeeds(context, order);
      return exitCodeOf(job);
    },
  }),
  command({
    name: "orders list",
    summary: "List orders, newest first",
    options: {
      status: {
        type: "string",
        value: ["pending", "processing", "completed", "partially_completed", "failed"],
        summary: "status of the order",
      },
      ref: { type: "string", value: "text", summary: "your reference of the order" },
      ...LIST_OPTIONS,
    },
    async run({ context, options }) {
      const client = await context.client();
      const { status, ref } = options;
      const filter = {
        ...(status !== undefined && { status: status as NonNullable<OrderFilter["status"]> }),
        ...(ref !== undefined && { external_ref: ref }),
      };
      const orders = await several(context, options, (query) => client.orders.list({ ...filter, ...query }));
      await context.output.list(orders, [
        { title: "id", of: ({ id }) => id },
        {
          title: "status",
          of: ({ status }) => status,
          tone: ({ status }) => toneOfStatus(status),
          isFlexible: true,
        },
        { title: "count", of: ({ quantity }) => quantity, isNumeric: true },
        { title: "label", of: ({ label }) => label, isFlexible: true },
        { title: "ref", of: ({ external_ref }) => external_ref, isHidden: true },
        { title: "job id", of: ({ job_id }) => job_id, isHidden: true },
        { title: "created at", of: ({ created_at }) => created_at, isHidden: true },
      ]);
    },
  }),
  command({
    name: "orders show",
    summary: "Show an order and its items",
    args: ["order"],
    async run({ context, args: [id] }) {
      const order = await (await context.client()).orders.get(id!);
      context.terminal.say(`Order ${order.id}: ${order.status}, job ${order.job_id}.`);
      await showOrder(context, order);
      sayNeeds(context, order);
      return order.status === "failed" ? EXIT.jobFailed : EXIT.ok;
    },
  }),
];

async function readOrder(
  client: Client,
  options: Values<typeof WANTED_OPTIONS & typeof TARGET_OPTIONS>,
): Promise<PlaceOrder> {
  const { number: numbers, country, type, prefix, quantity, label, tag, ref } = options;
  const routing = await readTarget(client, options);
  const rest = {
    ...(routing ? { routing } : {}),
    ...(label === undefined ? {} : { label }),
    ...(tag ? { tags: tag } : {}),
    ...(ref === undefined ? {} : { external_ref: ref }),
    ...(options["all-or-nothing"] ? { all_or_nothing: true } : {}),
  };
  if (numbers && !country && quantity === undefined) return { numbers, ...rest };
  if (numbers || !country || quantity === undefined)
    throw usageFailure("Specify either --number, or --country and --quantity.", "dialplane order --help");
  const criteria = { country, ...(type ? { type } : {}), ...(prefix ? { prefix } : {}) };
  return { criteria, quantity: readCount(quantity, "--quantity"), ...rest };
}

function describe({ numbers, criteria, quantity }: PlaceOrder): string {
  if (numbers) return numbers.length === 1 ? numbers[0]! : `${numbers.length} numbers`;
  const { country, type, prefix } = criteria!;
  const kind = [country, type, "numbers"].filter(Boolean).join(" ");
  return `${quantity} ${kind}${prefix ? ` starting with ${prefix}` : ""}`;
}

/** Names the paying organisation before the order. */
export async function whereIs(context: Context): Promise<string> {
  const place = context.place();
  const me = await (await context.client()).me.get();
  const { name } = membershipOf(me, place)?.organisation ?? { name: "your organisation" };
  return `for ${name} in the ${place.environment ?? me.caller.environment} environment`;
}

/** Names the next step of an order that waits for evidence. */
function sayNeeds({ terminal }: Context, { id, items }: Order): void {
  const waiting = items.filter(({ status }) => status === "action_required").length;
  if (waiting > 0)
    terminal.say(`${waiting} of ${items.length} numbers need evidence: dialplane orders requirements ${id}`);
}

async function showOrder({ output }: Context, order: Order): Promise<void> {
  if (output.format === "json") return output.record(order, []);
  await output.list(order.items, [
    { title: "number", of: ({ e164 }) => e164 },
    { title: "status", of: ({ status }) => status, tone: ({ status }) => toneOfStatus(status) },
    { title: "error", of: ({ error }) => error?.detail, isFlexible: true },
    { title: "number id", of: ({ number_id }) => number_id, isHidden: true },
  ]);
}
