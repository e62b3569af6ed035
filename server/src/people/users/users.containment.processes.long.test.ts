/** The same with 100 tries. */
import "./users.containment.processes.test.ts";
