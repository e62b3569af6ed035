import type { Me } from "@dialplane/sdk";

/** Organisation and environment, as in every URL under /o. */
export interface Place {
  organisation: string;
  environment: "live" | "test";
}

const KEY = "last-place";

export function rememberPlace(place: Place): void {
  localStorage.setItem(KEY, JSON.stringify(place));
}

/** Last visited organisation if the user is still a member. Otherwise the first organisation. */
export function lastPlace({ memberships }: Me): Place | undefined {
  const remembered = readPlace();
  if (remembered && memberships.some(({ organisation }) => organisation.id === remembered.organisation))
    return remembered;
  const [first] = memberships;
  return first && { organisation: first.organisation.id, environment: "live" };
}

function readPlace(): Place | undefined {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null") as Place;
  } catch {
    return undefined;
  }
}
