import { monitorEventLoopDelay } from "node:perf_hooks";

/** Preloaded into a program. Prints its longest event-loop delay and its resource usage every second. */
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
setInterval(() => {
  const { user, system } = process.cpuUsage();
  const [deafMs, memoryMb] = [delay.max / 1e6, process.memoryUsage.rss() / 1e6].map(Math.round);
  console.error(`deaf for ${deafMs} ms, memory ${memoryMb} MB, CPU ${((user + system) / 1e6).toFixed(1)} s`);
  delay.reset();
}, 1_000).unref();
