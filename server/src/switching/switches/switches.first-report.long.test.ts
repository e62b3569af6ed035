/** The same over 102,400 items. */
import "./switches.first-report.test.ts";
