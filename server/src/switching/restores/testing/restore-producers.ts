import type { Sent } from "../../../../testing/send.ts";
import { bearer, type Person, type Service } from "../../../../testing/service.ts";
import { restoreOf } from "../../../../testing/walls/restore-requests.ts";

interface Scene {
  service: Service;
  organisation: string;
  owner: Person;
}

const UNKNOWN_ID = "01a1ddd5-9839-7833-89c5-be12f8a6a618";

/** A request for each error of restores. */
export function restoreProducers(scene: () => Scene) {
  const ask = async (method: string, path: string, body?: unknown): Promise<Sent> => {
    const { service } = scene();
    const operator = await service.person();
    await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
    return service.send(method, `/operator/v1/${path}`, { headers: bearer(operator.token), body });
  };
  const insertFinding = async (restoreId: string): Promise<string> => {
    const [row] = await scene().service.database.admin<{ id: string }>(
      `insert into restore_findings (id, restore_id, kind, item_kind, item_id, generation_there, switches)
       values (gen_random_uuid(), $1, 'only_on_switch', 'connection', gen_random_uuid(), 1, '{fra-1}') returning id`,
      [restoreId],
    );
    return row!.id;
  };
  return {
    restore_not_found: () => ask("GET", `restores/${UNKNOWN_ID}`),
    restore_open: async () => {
      const { database } = scene().service;
      const [{ epoch } = { epoch: "" }] = await database.admin<{ epoch: string }>(
        "update feed_epoch set is_restore = true returning epoch",
      );
      await database.admin("update feed_epochs set resolved_at = null where epoch = $1", [epoch]);
      const refused = await ask("POST", `epochs/${epoch}/resolve`);
      await database.admin("update feed_epochs set resolved_at = now() where epoch = $1", [epoch]);
      await database.admin("update feed_epoch set is_restore = false");
      return refused;
    },
    restore_ended: async () => {
      const { id } = await restoreOf(scene());
      await ask("POST", `restores/${id}/finish`, { without_unreachable: true });
      return ask("POST", `restores/${id}/finish`, {});
    },
    restore_unfinished: async () => {
      const { id } = await restoreOf(scene());
      await insertFinding(id);
      return ask("POST", `restores/${id}/finish`, { without_unreachable: true });
    },
    finding_without_organisation: async () => {
      const { id } = await restoreOf(scene());
      return ask("POST", `restore-findings/${await insertFinding(id)}/adopt`, {});
    },
    key_suspended: async () => {
      const { service, organisation, owner } = scene();
      const key = await service.key(owner, organisation, ["numbers"]);
      await service.database.admin("update api_keys set suspended_at = now() where id = $1", [key.id]);
      return service.send("GET", "/v1/numbers", { headers: bearer(key.secret) });
    },
  };
}
