/** Every rollback with every variant. */
import "./rollback.test.ts";
