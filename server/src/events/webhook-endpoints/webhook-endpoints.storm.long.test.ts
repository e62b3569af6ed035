/** The same with 1,000 events. */
import "./webhook-endpoints.storm.test.ts";
