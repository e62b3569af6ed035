/** Whether tests run at full size (`npm run chaos`); CI runs the same tests smaller. */
export const isLong = (import.meta as ImportMeta & { env: { MODE: string } }).env.MODE === "long";
