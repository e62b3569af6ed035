/** Parameters of the identity provider's redirect. Without a code the sign-in failed. */
export interface ReturnSearch {
  state?: string;
  code?: string;
  iss?: string;
}

export function readReturnSearch({ state, code, iss }: Record<string, unknown>): ReturnSearch {
  return {
    ...(typeof state === "string" && { state }),
    ...(typeof code === "string" && { code }),
    ...(typeof iss === "string" && { iss }),
  };
}
