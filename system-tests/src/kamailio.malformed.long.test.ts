/** 5,000 messages by each transport. */
import "./kamailio.malformed.test.ts";
