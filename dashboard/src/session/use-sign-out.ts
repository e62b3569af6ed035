import { AuthenticationError } from "@dialplane/sdk";
import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { setTheme, theme } from "../shell/theme.ts";
import { client } from "./client.ts";

/** The service clears the browser's storage. Restores the theme. */
export function useSignOut(): UseMutationResult<void, Error, void> {
  return useMutation({
    mutationFn: async () => {
      await client.sessions.signOut().catch((error: unknown) => {
        if (!(error instanceof AuthenticationError)) throw error;
      });
      setTheme(theme.get());
      // Reloads, so that no data of the user stays in memory.
      location.assign("/sign-in");
    },
  });
}
