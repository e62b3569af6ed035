/** The same with 20,000 numbers, 20,000 deliveries and 2,000 requests, and again with limits that do not bind. */
import "./limits.neighbours.test.ts";
