/** Queue of look-ups of one kind, with a concurrency limit. */
export class LookUps<Item> {
  readonly #atOnce: number;
  readonly #work: (item: Item) => Promise<void>;
  readonly #waiting: Item[] = [];
  #running = 0;

  constructor(atOnce: number, work: (item: Item) => Promise<void>) {
    this.#atOnce = atOnce;
    this.#work = work;
  }

  add(item: Item): void {
    this.#waiting.push(item);
    this.#next();
  }

  #next(): void {
    while (this.#running < this.#atOnce && this.#waiting.length > 0) {
      this.#running += 1;
      void this.#work(this.#waiting.shift()!).finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
  }
}
