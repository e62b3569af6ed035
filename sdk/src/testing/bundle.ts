import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** One file of everything that a module needs, as somebody's own bundler makes it. */
export async function bundle(input: URL, options: { minify?: boolean } = {}): Promise<string> {
  const build = await rolldown({ input: fileURLToPath(input), treeshake: true });
  const { output } = await build.generate({ format: "esm", minify: options.minify ?? false });
  await build.close();
  return output[0].code;
}
