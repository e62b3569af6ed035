/** The same for half an hour. */
import "./switches.drift.test.ts";
