import { ApiError } from "@dialplane/sdk";
import { useEffect } from "react";
import type { FieldValues, Path, UseFormReturn } from "react-hook-form";

interface FieldErrorOptions {
  /** Turns a path in the request into a path in the form, if they differ. */
  toField?: (path: readonly string[]) => readonly string[];
  /** Field of an error that names no part of the request, if it can only concern that field. */
  fieldOf?: (error: ApiError) => string | undefined;
}

/** Shows what the service rejected next to the fields. */
export function useFieldErrors<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  { toField, fieldOf }: FieldErrorOptions = {},
): void {
  useEffect(() => {
    if (!(error instanceof ApiError)) return;
    const show = (field: string | undefined, message: string): void => {
      if (field) form.setError(field as Path<Values>, { type: "service", message }, { shouldFocus: true });
    };
    for (const { pointer, detail } of error.errors) {
      if (pointer === undefined) continue;
      const path = pointer.replace(/^#?\//, "").split("/");
      show(fieldAt(form.getValues(), toField ? toField(path) : path), withoutPath(detail, path));
    }
    if (error.errors.length === 0) show(fieldOf?.(error), error.problem?.detail ?? error.message);
  }, [form, error, toField, fieldOf]);
}

/** The service names the part of the request, such as "targets/0/weight must be at most 100." */
function withoutPath(detail: string, path: readonly string[]): string {
  const start = `${path.join("/")} `;
  if (!detail.startsWith(start)) return detail;
  const rest = detail.slice(start.length);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** Path of the field that has this part of the request. A list that is typed as text is one field. */
function fieldAt(values: unknown, path: readonly string[]): string | undefined {
  let value = values;
  let depth = 0;
  while (depth < path.length && typeof value === "object" && value !== null) {
    value = (value as Record<string, unknown>)[path[depth]!];
    depth++;
  }
  return value === undefined ? undefined : path.slice(0, depth).join(".");
}
