/** What a company's sign-in sends people back with; an answer without a code says that it did not work. */
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
