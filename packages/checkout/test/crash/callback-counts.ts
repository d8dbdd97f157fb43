/**
 * The callbacks that the process that runs now has tried to deliver, with or without success, and those of which it has recorded how it went.
 *
 * @param generation of the process that runs now
 * @param changed called with each count
 */
export function callbackCounts(generation: () => number, changed: () => void) {
  let counted = { generation: 0, attempted: 0, recorded: 0 };
  const count = (what: 'attempted' | 'recorded', times: number) => {
    const now = generation();
    if (counted.generation !== now) counted = { generation: now, attempted: 0, recorded: 0 };
    counted[what] += times;
    changed();
  };
  return {
    /**
     * A process connects to the merchant. An answer may come to one that was killed meanwhile, after the next one was started: it will
     * never be recorded.
     *
     * @returns called when an attempt on this connection is over
     */
    connected(): () => void {
      const its = generation();
      return () => {
        if (its === generation()) count('attempted', 1);
      };
    },
    recorded: (times: number): void => count('recorded', times),
    areWritten: (): boolean => counted.generation !== generation() || counted.recorded >= counted.attempted,
  };
}
