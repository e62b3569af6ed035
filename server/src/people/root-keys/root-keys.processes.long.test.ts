/** The same with more requests. */
import "./root-keys.processes.test.ts";
