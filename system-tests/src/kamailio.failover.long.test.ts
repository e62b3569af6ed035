/** 1,000 CANCELs around the ring timer and 200 random plans. */
import "./kamailio.failover.test.ts";
