import { runGuarantees } from "./guarantees.ts";
import type { Scene } from "./scene.ts";

/** As a program: takes the scene as its argument, prints the results. */
const results = await runGuarantees(JSON.parse(process.argv[2]!) as Scene);
console.log(JSON.stringify(results));
