/** 2,000 calls. */
import "./every-end.test.ts";
