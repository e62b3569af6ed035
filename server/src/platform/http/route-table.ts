import type { FastifyRequest } from "fastify";
import { ApiError } from "../api-error.ts";

/** The paths of the service and the methods that each takes. */
export class RouteTable {
  readonly #routes: { methods: string[]; url: string; parts: string[] }[] = [];
  /** Paths without parameters. */
  readonly #fixed = new Set<string>();

  add(methods: string[], url: string): void {
    this.#routes.push({ methods, url, parts: url.split("/") });
    if (!url.includes(":")) this.#fixed.add(url);
  }

  /** True if a path with a parameter matched a fixed path: DELETE /things/search is not about a thing named "search". */
  isFixed({ url, routeOptions }: FastifyRequest): boolean {
    const path = pathOf(url);
    return routeOptions.url !== path && this.#fixed.has(path);
  }

  /** A path that exists under other methods gets 405 with a list of them. */
  errorOf({ url }: FastifyRequest): ApiError {
    const path = pathOf(url);
    const parts = path.split("/");
    const same = this.#fixed.has(path)
      ? this.#routes.filter((route) => route.url === path)
      : this.#routes.filter((route) => isSamePath(route.parts, parts));
    if (same.length === 0)
      return new ApiError("not_found", "No resource at this path. /docs lists all paths.");
    const allow = [...new Set(same.flatMap(({ methods }) => methods))].join(", ");
    return new ApiError("method_not_allowed", `This path supports ${allow}.`, { headers: { allow } });
  }
}

/** A path with escapes that are not UTF-8 names something that cannot exist: they are taken as plain text. */
export function decodable(url: string): string {
  const path = pathOf(url);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll("%", "%25") + url.slice(path.length);
  }
}

function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}

function isSamePath(template: string[], path: string[]): boolean {
  return (
    template.length === path.length &&
    template.every((part, at) => part.startsWith(":") || part === "*" || part === path[at])
  );
}
