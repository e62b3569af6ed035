/** The same with 20,000 numbers, 20,000 deliveries and 2,000 requests, and once more with limits that do not bind. */
import "./limits.neighbours.test.ts";
