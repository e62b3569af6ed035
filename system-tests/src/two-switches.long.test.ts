/** The same at full size, on a machine that does nothing else. */
import "./two-switches.test.ts";
