/** State of a limit for the caller. The draft's RateLimit headers come from it. */
export interface Allowance {
  policy: string;
  quota: number;
  windowSeconds: number;
  remaining: number;
  /** Seconds until one more request fits; 0 while some are left. */
  resetSeconds: number;
  hasEnded: boolean;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** In memory, per process: protects the service, and need not be exact over replicas. */
export class TokenBuckets {
  readonly #policy: string;
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(policy: string, perSecond: number, burst: number) {
    this.#policy = policy;
    this.#perSecond = perSecond;
    this.#burst = burst;
  }

  take(subject: string, nowMs: number): Allowance {
    const bucket = this.#refilled(subject, nowMs);
    const hasEnded = bucket.tokens < 1;
    if (!hasEnded) bucket.tokens -= 1;
    return {
      policy: this.#policy,
      quota: this.#burst,
      windowSeconds: Math.max(1, Math.ceil(this.#burst / this.#perSecond)),
      remaining: Math.floor(bucket.tokens),
      resetSeconds: bucket.tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - bucket.tokens) / this.#perSecond)),
      hasEnded,
    };
  }

  /** Whether nothing is left; takes nothing. */
  isEmpty(subject: string, nowMs: number): boolean {
    return this.#buckets.has(subject) && this.#refilled(subject, nowMs).tokens < 1;
  }

  #refilled(subject: string, nowMs: number): Bucket {
    const bucket = this.#buckets.get(subject);
    if (!bucket) {
      if (this.#buckets.size >= MOST_SUBJECTS) this.#forgetOldest();
      const fresh = { tokens: this.#burst, at: nowMs };
      this.#buckets.set(subject, fresh);
      return fresh;
    }
    const elapsed = Math.max(0, nowMs - bucket.at) / 1000;
    bucket.tokens = Math.min(this.#burst, bucket.tokens + elapsed * this.#perSecond);
    bucket.at = nowMs;
    return bucket;
  }

  #forgetOldest(): void {
    const oldest = this.#buckets.keys().next().value;
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}

/** Bounds memory under a flood of addresses: 100,000 buckets are about 20 MB. */
const MOST_SUBJECTS = 100_000;
