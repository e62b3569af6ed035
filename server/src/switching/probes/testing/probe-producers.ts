import type { Sent } from "../../../../testing/send.ts";
import { bearer, type Person, type Service } from "../../../../testing/service.ts";
import { seedNumbers } from "../../../seed.ts";

interface Scene {
  service: Service;
  organisation: string;
  owner: Person;
}

const UNKNOWN_ID = "01a1ddd5-9839-7833-89c5-be12f8a6a618";

/** A request for each error of probes. */
export function probeProducers(scene: () => Scene) {
  const allow = async (perDay: number): Promise<void> => {
    const { service, organisation } = scene();
    await service.database.admin(
      `insert into probe_policies values ($1, $2, now())
       on conflict (organisation_id) do update set probes_per_day = excluded.probes_per_day`,
      [organisation, perDay],
    );
  };
  const numbers = async (count: number): Promise<string[]> => {
    const { service, organisation } = scene();
    return (await seedNumbers(service.app, organisation, "live", count)).map(({ id }) => id);
  };
  const place = (id: string): Promise<Sent> =>
    scene().service.send("POST", `/v1/numbers/${id}/probes`, {
      headers: bearer(scene().owner.token),
      body: {},
    });
  return {
    probe_not_found: () => {
      const { service, owner } = scene();
      return service.send("GET", `/v1/probes/${UNKNOWN_ID}`, { headers: bearer(owner.token) });
    },
    probe_schedule_not_found: () => {
      const { service, owner } = scene();
      return service.send("DELETE", `/v1/probe-schedules/${UNKNOWN_ID}`, { headers: bearer(owner.token) });
    },
    probes_disabled: async () => {
      await allow(0);
      return place((await numbers(1))[0]!);
    },
    probe_in_progress: async () => {
      await allow(100);
      const [id] = await numbers(1);
      await place(id!);
      return place(id!);
    },
    probe_limit_reached: async () => {
      await allow(1);
      const [first, second] = await numbers(2);
      await place(first!);
      return place(second!);
    },
  };
}
