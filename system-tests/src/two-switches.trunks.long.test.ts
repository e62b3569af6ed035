/** 100 changes of trunks under 100 calls/s. */
import "./two-switches.trunks.test.ts";
