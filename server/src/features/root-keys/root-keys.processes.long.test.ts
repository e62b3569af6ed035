/** The same with 100 tries. */
import "./root-keys.processes.test.ts";
