/** The same with 2,000 histories. */
import "./routing.model.test.ts";
