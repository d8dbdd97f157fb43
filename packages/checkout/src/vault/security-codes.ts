/** Security codes of cards, in this process's memory and nowhere else (PCI DSS 3.3.1: never kept after the authorisation). */
export interface SecurityCodes {
  /** Holds the code for a run. Past the most that are held the oldest goes. */
  hold(runId: string, code: string): void;
  /** The code, as long as the run that it was entered for goes on in this process and its time is not over. */
  of(runId: string): string | undefined;
  forget(runId: string): void;
  /** Forgets all. */
  clear(): void;
}

/** Longer than the tries of a provider that cannot be reached in between, and no longer. */
const HELD_MS = 120_000;
/** A process has by far fewer runs under way. */
const MOST = 10_000;

export function createSecurityCodes(heldMs: number = HELD_MS, most: number = MOST): SecurityCodes {
  const held = new Map<string, { readonly code: string; readonly timer: NodeJS.Timeout }>();
  const forget = (runId: string) => {
    clearTimeout(held.get(runId)?.timer);
    held.delete(runId);
  };
  return {
    hold(runId, code) {
      forget(runId);
      const [oldest] = held.keys();
      if (held.size >= most && oldest !== undefined) forget(oldest);
      held.set(runId, { code, timer: setTimeout(() => held.delete(runId), heldMs).unref() });
    },
    of: (runId) => held.get(runId)?.code,
    forget,
    clear() {
      for (const runId of held.keys()) forget(runId);
    },
  };
}
