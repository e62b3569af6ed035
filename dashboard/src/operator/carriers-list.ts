import { operator } from "../session/client.ts";
import { operatorList } from "./operator-list.ts";

export const carriersList = operatorList("carriers", operator.carriers.list);
