import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { Address, Document } from "@dialplane/sdk";
import { command } from "./cli-command.ts";
import { usageFailure } from "./cli-failure.ts";
import { readBytes } from "./read-file.ts";
import { LIST_OPTIONS, several } from "./several.ts";

const ADDRESS_COMMANDS = [
  command({
    name: "addresses list",
    summary: "List addresses for orders that require one",
    options: LIST_OPTIONS,
    async run({ context, options }) {
      const client = await context.client();
      const addresses = await several(context, options, (query) => client.addresses.list(query));
      await context.output.list(addresses, [
        { title: "id", of: ({ id }) => id },
        { title: "name", of: ({ name }) => name, isFlexible: true },
        { title: "city", of: ({ city }) => city, isFlexible: true },
        { title: "country", of: ({ country }) => country },
        { title: "street", of: ({ street }) => street, isHidden: true },
        { title: "postal code", of: ({ postal_code }) => postal_code, isHidden: true },
        { title: "created at", of: ({ created_at }) => created_at, isHidden: true },
      ]);
    },
  }),
  command({
    name: "addresses show",
    summary: "Show an address",
    args: ["address id"],
    async run({ context: { client, output }, args: [id] }) {
      const address = await (await client()).addresses.get(id!);
      await output.record(address, addressFields(address));
    },
  }),
  command({
    name: "addresses create",
    summary: "Create an address",
    options: {
      name: { type: "string", value: "text", summary: "person or company at the address" },
      street: { type: "string", value: "text", summary: "street and house number" },
      city: { type: "string", value: "text", summary: "city" },
      "postal-code": { type: "string", value: "text", summary: "postal code" },
      region: { type: "string", value: "text", summary: "state, province or region" },
      country: { type: "string", value: "DE", summary: "country code" },
    },
    details: "An address cannot be changed. Create another one instead.",
    examples: [
      "dialplane addresses create --name 'Northwind GmbH' \\\n    --street 'Torstraße 12' --city Berlin --postal-code 10119 --country DE",
    ],
    async run({ context: { client, output }, options }) {
      const { name, street, city, "postal-code": postal_code, region, country } = options;
      if (!name || !street || !city || !postal_code || !country)
        throw usageFailure(
          "Specify --name, --street, --city, --postal-code and --country.",
          "dialplane addresses create --help",
        );
      const wanted = { name, street, city, postal_code, country: country.toUpperCase() };
      const address = await (await client()).addresses.create({ ...wanted, ...(region && { region }) });
      await output.record(address, addressFields(address));
    },
  }),
  command({
    name: "addresses delete",
    summary: "Delete an address",
    args: ["address id"],
    async run({ context, args: [id] }) {
      await context.confirm(`Delete address ${id}?`, id!.slice(-4));
      await (await context.client()).addresses.delete(id!);
      context.terminal.say(`Address ${id} deleted.`);
      await context.output.record({ id, deleted: true }, [["id", id]]);
    },
  }),
];

const DOCUMENT_COMMANDS = [
  command({
    name: "documents list",
    summary: "List documents for orders that require one",
    options: LIST_OPTIONS,
    async run({ context, options }) {
      const client = await context.client();
      const documents = await several(context, options, (query) => client.documents.list(query));
      await context.output.list(documents, [
        { title: "id", of: ({ id }) => id },
        { title: "kind", of: ({ kind }) => kind, isFlexible: true },
        { title: "file", of: ({ file_name }) => file_name, isFlexible: true },
        { title: "bytes", of: ({ size }) => size, isNumeric: true },
        { title: "type", of: ({ media_type }) => media_type, isHidden: true },
        { title: "created at", of: ({ created_at }) => created_at, isHidden: true },
      ]);
    },
  }),
  command({
    name: "documents show",
    summary: "Show a document, without its content",
    args: ["document id"],
    async run({ context: { client, output }, args: [id] }) {
      const document = await (await client()).documents.get(id!);
      await output.record(document, documentFields(document));
    },
  }),
  command({
    name: "documents upload",
    summary: "Upload a PDF, PNG or JPEG file",
    args: ["file"],
    options: {
      kind: { type: "string", value: "identity", summary: "kind of the document" },
      name: { type: "string", value: "text", summary: "name of the file (default: its name on disk)" },
    },
    details:
      "The file can have 5 MiB. The requirement of an order lists the kinds that its carrier accepts, such as identity, proof_of_address or business_registration.",
    examples: ["dialplane documents upload register.pdf --kind business_registration"],
    async run({ context: { client, output }, args: [path], options: { kind, name } }) {
      if (!kind) throw usageFailure("Specify --kind.", "dialplane documents upload --help");
      const content = readBytes(path!).toString("base64");
      const document = await (
        await client()
      ).documents.create({ kind, file_name: name ?? basename(path!), content });
      await output.record(document, documentFields(document));
    },
  }),
  command({
    name: "documents download",
    summary: "Download the file of a document",
    args: ["document id"],
    options: { output: { type: "string", short: "o", value: "file", summary: "file to write" } },
    details: "Without --output, it writes a new file with the document's name into the current directory.",
    async run({ context: { client, terminal }, args: [id], options }) {
      const { content, file_name, size } = await (await client()).documents.download(id!);
      const path = options.output ?? basename(file_name);
      // A name from the service must not replace a file here.
      writeFileSync(path, Buffer.from(content, "base64"), { flag: options.output ? "w" : "wx" });
      terminal.say(`${size} bytes written to ${path}.`);
    },
  }),
  command({
    name: "documents delete",
    summary: "Delete a document",
    args: ["document id"],
    async run({ context, args: [id] }) {
      await context.confirm(`Delete document ${id}?`, id!.slice(-4));
      await (await context.client()).documents.delete(id!);
      context.terminal.say(`Document ${id} deleted.`);
      await context.output.record({ id, deleted: true }, [["id", id]]);
    },
  }),
];

function addressFields({ id, name, street, city, postal_code, region, country }: Address) {
  return [
    ["id", id],
    ["name", name],
    ["street", street],
    ["city", `${postal_code} ${city}`],
    ["region", region],
    ["country", country],
  ] as const;
}

function documentFields({ id, kind, file_name, media_type, size }: Document) {
  return [
    ["id", id],
    ["kind", kind],
    ["file", file_name],
    ["type", media_type],
    ["bytes", size],
  ] as const;
}

export const EVIDENCE_COMMANDS = [...ADDRESS_COMMANDS, ...DOCUMENT_COMMANDS];
