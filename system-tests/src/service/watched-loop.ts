import { monitorEventLoopDelay } from "node:perf_hooks";

/** Loaded before a program, says each second for how long at most it heard nothing, and what it has used. */
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
setInterval(() => {
  const { user, system } = process.cpuUsage();
  const [deafMs, memoryMb] = [delay.max / 1e6, process.memoryUsage.rss() / 1e6].map(Math.round);
  console.error(`deaf for ${deafMs} ms, memory ${memoryMb} MB, CPU ${((user + system) / 1e6).toFixed(1)} s`);
  delay.reset();
}, 1_000).unref();
