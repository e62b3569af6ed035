import { pdfOf } from "../../../../testing/evidence.ts";
import type { Sent } from "../../../../testing/send.ts";
import { bearer, type Person, type Service } from "../../../../testing/service.ts";
import { waitingOrderOf } from "../../../../testing/walls/waiting-order.ts";

interface Scene {
  service: Service;
  organisation: string;
  owner: Person;
}

const UNKNOWN_ID = "01a1ddd5-9839-7833-89c5-be12f8a6a618";
const BERLIN = {
  name: "Northwind",
  street: "Torstraße 12",
  city: "Berlin",
  postal_code: "10119",
  country: "DE",
};
const PASSPORT = { kind: "identity", file_name: "passport.pdf", content: pdfOf("Passport") };

/** A request for each error of addresses, documents and requirements. */
export function requirementProducers(scene: () => Scene) {
  const send = (method: string, path: string, body?: object): Promise<Sent> =>
    scene().service.send(method, path, {
      headers: bearer(scene().owner.token),
      ...(body && { body }),
    });
  /** An order that uses a new resource. */
  const used = async (path: string, body: object, column: string): Promise<Sent> => {
    const { service, organisation } = scene();
    const { id } = (await send("POST", path, body)).body;
    const order = await waitingOrderOf(scene().service, {
      organisationId: organisation,
      environment: "live",
    });
    await service.database.admin(
      `update order_requirements set type = $3, ${column} = $2 where order_id = $1`,
      [order.id, id, column.replace("_id", "")],
    );
    return send("DELETE", `${path}/${id}`);
  };
  const submit = async (submission: object): Promise<Sent> => {
    const { organisation } = scene();
    const { id } = await waitingOrderOf(scene().service, {
      organisationId: organisation,
      environment: "live",
    });
    return send("POST", `/v1/numbers/orders/${id}/requirements`, { submissions: [submission] });
  };
  const fill = (column: string, to: number): Promise<unknown> => {
    const { service, organisation } = scene();
    return service.database.admin(
      `insert into evidence_totals (organisation_id, environment, ${column}) values ($1, 'live', $2)
       on conflict (organisation_id, environment) do update set ${column} = $2`,
      [organisation, to],
    );
  };
  return {
    order_not_found: () => send("GET", `/v1/numbers/orders/${UNKNOWN_ID}`),
    reservation_not_found: () => send("GET", `/v1/numbers/reservations/${UNKNOWN_ID}`),
    address_not_found: () => send("GET", `/v1/addresses/${UNKNOWN_ID}`),
    document_not_found: () => send("GET", `/v1/documents/${UNKNOWN_ID}`),
    address_in_use: () => used("/v1/addresses", BERLIN, "address_id"),
    document_in_use: () => used("/v1/documents", PASSPORT, "document_id"),
    address_limit_reached: async () => {
      await fill("addresses", 500);
      const answer = await send("POST", "/v1/addresses", BERLIN);
      await fill("addresses", 100);
      return answer;
    },
    document_limit_reached: async () => {
      await fill("document_bytes", 100 * 1024 * 1024);
      const answer = await send("POST", "/v1/documents", PASSPORT);
      await fill("document_bytes", 1_000_000);
      return answer;
    },
    requirement_not_open: () => submit({ requirement_id: "unknown", end_user: { name: "Ada" } }),
    evidence_not_suitable: () => submit({ requirement_id: "end_user", address_id: UNKNOWN_ID }),
  };
}
