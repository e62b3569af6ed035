export function assertThat(isSo: boolean, what: string): asserts isSo {
  if (!isSo) throw new Error(`Not so: ${what}`);
}

export function assertEqual(actual: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${left} instead of ${right}`);
}

/** Returns the rejection's reason. Throws if the promise resolves. */
export async function failureOf(promise: PromiseLike<unknown>): Promise<unknown> {
  let result: unknown;
  try {
    result = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`Succeeded with ${JSON.stringify(result)}`);
}
