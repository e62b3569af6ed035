import type { Report } from "../control-plane.ts";
import type { Bench } from "./agent-bench.ts";

const NOTHING = 0;

/**
 * Items that the service would show after a report although the switch never confirmed them. Their generation
 * was not read since the switch last lost its memory.
 */
export function watchShown({ control, driver }: Bench, hasEnded = () => false): string[] {
  const readings = new Map<string, Set<number>>();
  // The switch begins empty, and says so by its digests.
  const readingsOf = (id: string) => readings.get(id) ?? new Set([NOTHING]);
  const note = (id: string, generation: number) => readings.set(id, readingsOf(id).add(generation));
  const formerBoots = new Set<string>();
  let lastBoot = "";
  const { boot, read, readShard, digests, loseMemory } = driver;
  driver.boot = async () => (lastBoot = await boot());
  driver.loseMemory = () => {
    loseMemory();
    formerBoots.add(lastBoot);
    readings.clear();
  };
  driver.read = async (names) => {
    const held = await read(names);
    names.forEach((name, place) => note(name.id, held[place]?.generation ?? NOTHING));
    return held;
  };
  driver.readShard = async (shard) => {
    const held = await readShard(shard);
    for (const { id, generation } of held) note(id, generation);
    return held;
  };
  // A digest that matches the desired items confirms each of them.
  driver.digests = async () => {
    const sums = await digests();
    for (const shard of sums.keys())
      for (const id of control.idsOf(shard))
        note(id, driver.held({ kind: "route", id })?.generation ?? NOTHING);
    return sums;
  };
  const untrue: string[] = [];
  const take = control.report.bind(control);
  control.report = async (report: Report) => {
    const isToCheck = report.epoch === control.epoch && !formerBoots.has(report.boot) && !hasEnded();
    for (const { shard, version, exceptions } of isToCheck ? report.shards : [])
      for (const id of control.idsOf(shard)) {
        const exception = exceptions.find((one) => one.id === id);
        const told = control.historyOf(shard, id).findLast((item) => item.version <= version);
        if (!exception && !told) continue;
        const shown = exception ? exception.applied?.generation : told?.value && told.generation;
        if (!readingsOf(id).has(shown ?? NOTHING))
          untrue.push(`${id} shows generation ${shown ?? NOTHING} at version ${version}`);
      }
    await take(report);
  };
  return untrue;
}
