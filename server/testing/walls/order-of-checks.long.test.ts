/** The same with each fault in a malformed path, too. */
import "./order-of-checks.test.ts";
