/** Whether this is a run of the long tests: then a test that has both forms takes its full size, and speed counts. */
export const isLong = (import.meta as ImportMeta & { env: { MODE: string } }).env.MODE === "long";
