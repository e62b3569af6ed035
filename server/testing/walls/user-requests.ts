import { giveAuthenticator } from "../authenticator-app.ts";
import type { Fixtures } from "./fixture.ts";
import type { Neighbours } from "./neighbours.ts";

export const USER_FIXTURES: Fixtures = {
  listUsers: { query: "limit=2" },
  getUser: { params: newUser },
  disableUser: { params: newUser, body: () => ({ reason: "Fixture" }) },
  enableUser: { params: newUser },
  endUserSessions: { params: newUser },
  removeUserAuthenticator: { params: newUserWithAuthenticator },
};

async function newUser({ service }: Neighbours): Promise<{ id: string }> {
  return { id: (await service.person()).userId };
}

async function newUserWithAuthenticator(neighbours: Neighbours): Promise<{ id: string }> {
  const { id } = await newUser(neighbours);
  await giveAuthenticator(neighbours.service, id);
  return { id };
}
