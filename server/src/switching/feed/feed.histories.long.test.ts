/** The same with 10,000 histories. */
import "./feed.histories.test.ts";
