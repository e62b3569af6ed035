/** 3,000 calls against 1,000 minutes. */
import "./two-switches.operator.test.ts";
