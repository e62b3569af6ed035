import { Type } from "typebox";
import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { ById, PageQuery } from "../../platform/http/shapes.ts";
import { Address, AddressPage, CreateAddress } from "./addresses.schema.ts";
import { type AddressRow, createAddress, deleteAddress, getAddress, listAddresses } from "./addresses.ts";

const PATH = "/v1/addresses";
/** Those who may order. */
const OF_BUYERS = {
  tag: "Requirements",
  access: { callers: "organisation", sessions: { roles: ["owner", "admin"] }, keys: "none" },
} as const;
const OF_ONE = { ...OF_BUYERS, path: `${PATH}/{id}`, params: ById, notFound: "address_not_found" } as const;

const listAddressesOperation = operation({
  ...OF_BUYERS,
  id: "listAddresses",
  method: "GET",
  path: PATH,
  summary: "List addresses",
  description: "Lists the addresses of the organisation in this environment.",
  idempotency: "none",
  query: Type.Object(PageQuery, { additionalProperties: false }),
  answers: { 200: AddressPage },
  async run(app, { actor, query }) {
    return pageOf(app, { path: PATH, of: actor }, query, {
      rows: (page) => listAddresses(app, actor, page),
      item: shownAddress,
      position: (row) => row.id,
    });
  },
});

const createAddressOperation = operation({
  ...OF_BUYERS,
  id: "createAddress",
  method: "POST",
  path: PATH,
  summary: "Create an address",
  description:
    "Submit the address to a carrier when an order requires one. An address cannot be changed. Create another one instead. An organisation has at most 500 in each environment.",
  idempotency: "optional",
  body: CreateAddress,
  answers: { 201: Address },
  errors: ["address_limit_reached"],
  async change(tx, { actor, body }, app) {
    const address = await createAddress(tx, app, actor, body);
    return {
      status: 201,
      body: shownAddress(address),
      headers: { location: `${app.config.baseUrl}${PATH}/${address.id}` },
    };
  },
});

const getAddressOperation = operation({
  ...OF_ONE,
  id: "getAddress",
  method: "GET",
  summary: "Get an address",
  description: "Events and orders name addresses by their ID only.",
  idempotency: "none",
  answers: { 200: Address },
  async run(app, { actor, params }) {
    return { status: 200, body: shownAddress(await getAddress(app, actor, params.id)) };
  },
});

const deleteAddressOperation = operation({
  ...OF_ONE,
  id: "deleteAddress",
  method: "DELETE",
  summary: "Delete an address",
  description: "Fails while an open order uses the address. The carrier keeps what it received.",
  idempotency: "none",
  answers: { 204: null },
  errors: ["address_in_use"],
  async change(tx, { actor, params }, app) {
    await deleteAddress(tx, app, actor, params.id);
    return { status: 204 };
  },
});

function shownAddress({ created_at, ...row }: AddressRow): Address {
  return { ...row, created_at: created_at.toISOString() };
}

export const addressesOperations = [
  listAddressesOperation,
  createAddressOperation,
  getAddressOperation,
  deleteAddressOperation,
];
