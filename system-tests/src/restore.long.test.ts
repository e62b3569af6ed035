import "./restore.test.ts";
