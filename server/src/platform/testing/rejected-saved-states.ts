import type { Sent } from "../../../testing/send.ts";
import { bearer, type Service } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";
import { requestedStateOf, savedStateOf } from "../../../testing/walls/switch-requests.ts";

type Codes = "saved_state_not_found" | "saved_state_not_uploaded" | "saved_state_incomplete";

/** A request for each code about saved states. */
export function refusedSavedStates(
  service: () => Service,
  asOperator: (method: string, path: string, body: unknown) => Promise<Sent>,
): Record<Codes, () => Promise<Sent>> {
  const states = "/operator/v1/saved-states";
  return {
    saved_state_not_found: () =>
      asOperator("POST", `${states}/0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11/request`, undefined),
    saved_state_not_uploaded: async () => {
      const { id } = await savedStateOf({ service: service() });
      return asOperator("GET", `${states}/${id}/items`, undefined);
    },
    saved_state_incomplete: async () => {
      const { credential } = await makeSwitch(service());
      const { epoch } = await requestedStateOf({ service: service() });
      const body = { items: [], is_last: true };
      return service().send("POST", `/switch/v1/saved-states/${epoch}/parts`, {
        headers: bearer(credential),
        body,
      });
    },
  };
}
