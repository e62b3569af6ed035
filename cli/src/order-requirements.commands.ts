import type { Order } from "@dialplane/sdk";
import { command } from "./cli-command.ts";
import { usageFailure } from "./cli-failure.ts";
import type { Context } from "./cli-context.ts";
import { toneOfStatus } from "./tones.ts";

/** Evidence that the carrier requires for an order. */
export const ORDER_REQUIREMENT_COMMANDS = [
  command({
    name: "orders requirements",
    summary: "List the evidence that the carrier requires for an order",
    args: ["order"],
    async run({ context, args: [id] }) {
      await showRequirements(context, await (await context.client()).orders.get(id!));
    },
  }),
  command({
    name: "orders submit",
    summary: "Submit evidence for a requirement of an order",
    args: ["order", "requirement"],
    options: {
      number: { type: "string", value: "+1…", summary: "number of the order (default: all that need it)" },
      address: { type: "string", value: "id", summary: "ID of an address" },
      document: { type: "string", value: "id", summary: "ID of a document" },
      name: { type: "string", value: "text", summary: "person who uses the number" },
      company: { type: "string", value: "text", summary: "company that uses the number, with --name" },
      registration: { type: "string", value: "text", summary: "registration number, with --name" },
      email: { type: "string", value: "text", summary: "email address, with --name" },
      phone: { type: "string", value: "text", summary: "phone number, with --name" },
      country: { type: "string", value: "DE", summary: "country of the person or company, with --name" },
      born: { type: "string", value: "date", summary: "date of birth, with --name" },
      "born-in": { type: "string", value: "DE", summary: "country of birth, with --name" },
      "id-number": { type: "string", value: "text", summary: "number of an identity document, with --name" },
      "tax-id": { type: "string", value: "text", summary: "tax number of the person, with --name" },
      "vat-id": { type: "string", value: "text", summary: "VAT number of the company, with --name" },
    },
    details:
      "A requirement of the type address needs --address, of the type document --document, and of the type end_user --name. The order continues when the carrier has accepted all of them.",
    examples: [
      "dialplane orders submit 0198c5f2-… address --address 0198c5f3-…",
      "dialplane orders submit 0198c5f2-… identity --document 0198c5f4-…",
    ],
    async run({ context, args: [id, requirement], options }) {
      const { number, address, document, name } = options;
      if ([address, document, name].filter((given) => given !== undefined).length !== 1)
        throw usageFailure(
          "Specify exactly one of --address, --document or --name.",
          "dialplane orders submit --help",
        );
      const evidence = address
        ? { address_id: address }
        : document
          ? { document_id: document }
          : { end_user: endUserOf(name!, options) };
      const submission = { requirement_id: requirement!, ...(number && { e164: number }), ...evidence };
      const client = await context.client();
      const order = await client.orders.submitRequirements(id!, { submissions: [submission] });
      await showRequirements(context, order);
      context.terminal.say(`Submitted. Follow the order with: dialplane jobs wait ${order.job_id}`);
    },
  }),
];

interface EndUserOptions {
  company?: string | undefined;
  registration?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  country?: string | undefined;
  born?: string | undefined;
  "born-in"?: string | undefined;
  "id-number"?: string | undefined;
  "tax-id"?: string | undefined;
  "vat-id"?: string | undefined;
}

/** Without what is not given. */
function endUserOf(name: string, options: EndUserOptions) {
  return {
    name,
    company: options.company,
    registration_number: options.registration,
    email: options.email,
    phone: options.phone,
    country: options.country,
    birth_date: options.born,
    birth_country: options["born-in"],
    id_number: options["id-number"],
    tax_id: options["tax-id"],
    vat_id: options["vat-id"],
  };
}

async function showRequirements({ output, terminal }: Context, order: Order): Promise<void> {
  const rows = order.items.flatMap(({ e164, requirements }) =>
    requirements.map((requirement) => ({ e164, ...requirement })),
  );
  await output.list(rows, [
    { title: "number", of: ({ e164 }) => e164 },
    { title: "requirement", of: ({ id }) => id, isFlexible: true },
    { title: "type", of: ({ type }) => type },
    { title: "status", of: ({ status }) => status, tone: ({ status }) => toneOfStatus(status) },
    {
      title: "description",
      of: ({ description, rejected_reason }) => rejected_reason ?? description,
      isFlexible: true,
    },
  ]);
  if (rows.length === 0) terminal.say("The carrier requires no evidence for this order.");
}
