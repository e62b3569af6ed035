/** The same with a million, on a machine that does nothing else. */
import "./many-routes.test.ts";
