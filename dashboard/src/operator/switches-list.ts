import { operatorList, type Switch, type SwitchGroup } from "./operator-api.ts";

const REFRESH_MS = 3_000;

export const switchesList = operatorList<Switch>("/switches", REFRESH_MS);
export const switchGroupsList = operatorList<SwitchGroup>("/switch-groups");
