import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** Bundles a module with its dependencies into one file, as a customer's bundler does. */
export async function bundle(input: URL, options: { minify?: boolean } = {}): Promise<string> {
  const build = await rolldown({ input: fileURLToPath(input), treeshake: true });
  const { output } = await build.generate({ format: "esm", minify: options.minify ?? false });
  await build.close();
  return output[0].code;
}
