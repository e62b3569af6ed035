import type { Sent } from "../../../../testing/send.ts";
import { bearer, type Person, type Service } from "../../../../testing/service.ts";

interface Scene {
  service: Service;
  organisation: string;
  owner: Person;
}

const UNKNOWN_ID = "01a1ddd5-9839-7833-89c5-be12f8a6a618";

/** A request for each error of views. */
export function viewProducers(scene: () => Scene) {
  const create = (more: object, { token } = scene().owner): Promise<Sent> =>
    scene().service.send("POST", "/v1/views", {
      headers: bearer(token),
      body: { page: "numbers", name: "Failing", query: "", ...more },
    });
  return {
    view_not_found: () => {
      const { service, owner } = scene();
      return service.send("DELETE", `/v1/views/${UNKNOWN_ID}`, { headers: bearer(owner.token) });
    },
    view_name_taken: async () => {
      await create({ page: "calls" });
      return create({ page: "calls", name: "FAILING" });
    },
    view_limit_reached: async () => {
      for (let made = 0; made < 100; made++) await create({ page: "jobs", name: `View ${made}` });
      return create({ page: "jobs" });
    },
    view_sharing_not_allowed: async () => {
      const { service, organisation } = scene();
      return create({ is_shared: true }, await service.person({ [organisation]: "member" }));
    },
  };
}
