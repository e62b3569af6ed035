import Fastify from "fastify";

/**
 * Baseline of a Fastify service: one route that serialises one response by its schema. bench-processes.ts
 * starts it.
 */
export interface BareRoute {
  path: string;
  body: unknown;
}

process.once("disconnect", () => process.exit(0));
process.once("message", ({ path, body }: BareRoute) => {
  const http = Fastify({ logger: false });
  http.get(path, { schema: { response: { 200: schemaOf(body) } } }, async () => body);
  http.listen({ host: "127.0.0.1", port: 0 }).then(
    () => process.send!({ port: (http.server.address() as { port: number }).port }),
    () => process.exit(1),
  );
});

/** The plainest schema that returns the same bytes. */
function schemaOf(value: unknown): object {
  if (value === null) return { type: "null" };
  if (Array.isArray(value)) return { type: "array", items: schemaOf(value[0] ?? "") };
  if (typeof value !== "object") return { type: typeof value };
  const properties = Object.entries(value).map(([name, inner]) => [name, schemaOf(inner)]);
  return { type: "object", properties: Object.fromEntries(properties) as object };
}
