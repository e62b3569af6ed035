/** The same with 5,000 and 3,000 numbers. */
import "./bulk-changes.races.test.ts";
