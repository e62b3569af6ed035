/** The same at full size, on a machine that does nothing else. */
import "./cost-of-routing.test.ts";
