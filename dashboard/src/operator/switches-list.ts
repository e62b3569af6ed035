import { operator } from "../session/client.ts";
import { operatorList } from "./operator-list.ts";

const REFRESH_MS = 3_000;

export const switchesList = operatorList("switches", operator.switches.list, REFRESH_MS);
export const switchGroupsList = operatorList("switch groups", operator.switchGroups.list);
