import { AuthenticationError } from "@dialplane/sdk";
import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { setTheme, theme } from "../shell/theme.ts";
import { client } from "./client.ts";

/** The service empties the browser's storage along with it; only the theme is put back. */
export function useSignOut(): UseMutationResult<void, Error, void> {
  return useMutation({
    mutationFn: async () => {
      await client.sessions.signOut().catch((error: unknown) => {
        if (!(error instanceof AuthenticationError)) throw error;
      });
      setTheme(theme.get());
      // A fresh page: nothing of what the last person saw stays in memory.
      location.assign("/sign-in");
    },
  });
}
