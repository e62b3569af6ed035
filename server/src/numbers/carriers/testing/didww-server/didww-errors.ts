/** An error response of the server. Codes of the status are those of the documentation, the others of JSON:API. */
export class DidwwError extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly pointer: string | undefined;

  constructor(status: number, code: string, detail: string, { title = detail, pointer }: Shown = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.title = title;
    this.pointer = pointer;
  }

  toBody() {
    const { title, message: detail, code, status, pointer } = this;
    const error = { title, detail, code, status: String(status), ...(pointer && { source: { pointer } }) };
    return { errors: [error] };
  }
}

interface Shown {
  title?: string;
  /** JSON pointer into the body. */
  pointer?: string;
}

export function invalid(pointer: string, what: string, title = "is invalid"): DidwwError {
  return new DidwwError(422, "100", `${what} - ${title}`, { title, pointer });
}

export function notFound(id: string): DidwwError {
  return new DidwwError(404, "404", `The record identified by ${id} could not be found.`, {
    title: "Record not found",
  });
}

export function notAllowed(parameter: string): DidwwError {
  return new DidwwError(400, "105", `${parameter} is not allowed.`, { title: "Param not allowed" });
}

export function filterNotAllowed(filter: string): DidwwError {
  return new DidwwError(400, "102", `${filter} is not allowed.`, { title: "Filter not allowed" });
}
