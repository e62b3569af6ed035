/** The same with 200 keys. */
import "./idempotency.test.ts";
