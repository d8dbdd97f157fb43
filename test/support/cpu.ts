/** As many runs lie in one measurement: the system counts CPU time in steps of some milliseconds. */
const RUNS = 3;
const MOST_ROUNDS = 20;
const HOPELESS = 4;

/**
 * The CPU time of this process for one run of something, in milliseconds: the least of several rounds, because what else a machine does
 * only adds to it. The first round within the limit ends the measurement.
 */
export async function cpuMilliseconds(limit: number, run: () => unknown): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < MOST_ROUNDS && least > limit; round += 1) {
    const before = process.cpuUsage();
    for (let at = 0; at < RUNS; at += 1) await run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000 / RUNS);
    // No other work of a machine makes so much of a difference.
    if (least > HOPELESS * limit) break;
  }
  return least;
}

/** Milliseconds that the yardstick takes on the machine on which budgets are set. */
const YARDSTICK_MS = 1;
const YARDSTICK = JSON.stringify(
  Object.fromEntries(Array.from({ length: 8000 }, (_none, index) => [`key-${index}`, `value ${index}`])),
);

/** How many times as slow as that machine this one is at the moment; at least 1. */
export function slowness(): number {
  let least = Infinity;
  for (let round = 0; round < 5; round += 1) {
    const before = process.hrtime.bigint();
    JSON.parse(YARDSTICK);
    least = Math.min(least, Number(process.hrtime.bigint() - before) / 1e6);
  }
  return Math.max(1, least / YARDSTICK_MS);
}
