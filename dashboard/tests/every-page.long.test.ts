/** The same in both themes. */
import "./every-page.test.ts";
