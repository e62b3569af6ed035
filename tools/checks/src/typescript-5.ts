import { registerHooks } from "node:module";

/** TypeScript 7 has no JavaScript interface, which generators need. They get the TypeScript 5 next to this file. */
const typescript5 = import.meta.resolve("typescript");

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "typescript" ? { url: typescript5, shortCircuit: true } : next(specifier, context),
});
