/** How a call came to its end. */
export interface Answer<Data> {
  data: Data;
  status: number;
  headers: Headers;
  requestId: string | undefined;
  /** Requests that were sent for it. */
  attempts: number;
  /** Idempotency key of the change. Undefined if the operation takes none. */
  idempotencyKey: string | undefined;
  /** Whether the response is a replay of an earlier one. */
  wasReplayed: boolean;
}

/** A promise of the data alone; `withResponse()` gives what came with it. */
export class Call<Data> implements Promise<Data> {
  readonly [Symbol.toStringTag] = "Call";
  readonly #answer: () => Promise<Answer<Data>>;

  /** With a function, the call starts when its result is first awaited. */
  constructor(answer: Promise<Answer<Data>> | (() => Promise<Answer<Data>>)) {
    let begun = typeof answer === "function" ? undefined : answer;
    this.#answer = () => (begun ??= (answer as () => Promise<Answer<Data>>)());
  }

  withResponse(): Promise<Answer<Data>> {
    return this.#answer();
  }

  // oxlint-disable-next-line unicorn/no-thenable -- being awaited is what it is for
  then<Fulfilled = Data, Rejected = never>(
    onFulfilled?: ((data: Data) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#answer()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected);
  }

  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Data | Rejected> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Data> {
    return this.then((data) => data).finally(onFinally);
  }
}

export interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
}

/** `await` gives the first page, `for await` every item of every page, `pages()` page by page. */
export class Listing<Item, OnePage extends Page<Item> = Page<Item>>
  extends Call<OnePage>
  implements AsyncIterable<Item>
{
  readonly #fetch: (cursor: string) => Call<OnePage>;

  constructor(fetch: (cursor?: string) => Call<OnePage>) {
    super(() => fetch().withResponse());
    this.#fetch = fetch;
  }

  async *pages(): AsyncGenerator<OnePage, void, undefined> {
    let page: OnePage = await this;
    yield page;
    while (page.next_cursor !== null) {
      page = await this.#fetch(page.next_cursor);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }
}
