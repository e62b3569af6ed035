/** The same with 105,000 requests, and memory before and after. */
import "./fuzz.test.ts";
