import { newId } from "../../src/platform/ids.ts";
import type { Fixtures } from "./fixture.ts";
import type { Holder, Neighbours } from "./neighbours.ts";

export const VIEW_FIXTURES: Fixtures = {
  listViews: { query: "page=numbers" },
  createView: { body: () => ({ page: "numbers", name: newId(), query: "sync=failed" }) },
  changeView: { params: viewOf, body: () => ({ query: "sync=drifted" }) },
  deleteView: { params: viewOf },
};

/** A view of the organisation, or for the role `member`, which cannot change those, one of the member. */
export async function viewOf(
  { service }: Pick<Neighbours, "service">,
  { organisationId, environment, person }: Holder,
): Promise<{ id: string }> {
  const id = newId();
  await service.database.admin(
    `insert into views (id, organisation_id, environment, user_id, page, name, query, slot, created_at, updated_at)
     select $1, $2, $3, (select user_id from memberships where organisation_id = $2 and user_id = $4 and role = 'member'),
       'numbers', $5, 'sync=failed', 1 + (select count(*) from views where organisation_id = $2), now(), now()`,
    [id, organisationId, environment, person.userId, id],
  );
  return { id };
}
