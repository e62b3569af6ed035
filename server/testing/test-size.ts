import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    isLong: boolean;
  }
}

/** Whether tests run at full size (`npm run chaos`); CI runs the same tests smaller. */
export const isLong = inject("isLong");
