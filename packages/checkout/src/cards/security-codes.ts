/** The secrets of an attempt's first request alone: the code of its card, the cryptogram of an authentication, or a wallet's token. */
export type HeldSecrets = Readonly<Partial<Record<'cvv' | 'cryptogram' | 'wallet-token', string>>>;

/** Security codes of cards, cryptograms and tokens of wallets, in this process's memory and nowhere else (PCI DSS 3.3.1: never kept after the authorisation). */
export interface SecurityCodes {
  /** Holds them for a run, or for a card that was entered. Past the most that are held the oldest goes. @param forMs two minutes unless given */
  hold(runId: string, secrets: HeldSecrets, forMs?: number): void;
  /** The held secrets, as long as the run that they were entered for goes on in this process and their time is not over. */
  of(runId: string): HeldSecrets | undefined;
  /** Hands it on to the run of another payment of the same try, for what is left of its time. @returns whether there was one */
  handOver(from: string, to: string): boolean;
  forget(runId: string): void;
  /** Forgets all. */
  clear(): void;
}

/** Longer than the tries of a provider that cannot be reached in between, and no longer. */
const HELD_MS = 120_000;
/** A process has by far fewer runs under way. */
const MOST = 10_000;

interface Held {
  readonly secrets: HeldSecrets;
  readonly timer: NodeJS.Timeout;
  runId: string;
}

/** @param onEvicted is called for each that goes because there are too many */
export function createSecurityCodes(
  heldMs: number = HELD_MS,
  most: number = MOST,
  onEvicted: () => void = () => undefined,
): SecurityCodes {
  const held = new Map<string, Held>();
  const forget = (runId: string) => {
    clearTimeout(held.get(runId)?.timer);
    held.delete(runId);
  };
  return {
    hold(runId, secrets, forMs = heldMs) {
      forget(runId);
      const [oldest] = held.keys();
      if (held.size >= most && oldest !== undefined) {
        forget(oldest);
        onEvicted();
      }
      const entry: Held = { secrets, runId, timer: setTimeout(() => held.delete(entry.runId), forMs).unref() };
      held.set(runId, entry);
    },
    handOver(from, to) {
      const entry = held.get(from);
      if (entry === undefined) return false;
      held.delete(from);
      entry.runId = to;
      held.set(to, entry);
      return true;
    },
    of: (runId) => held.get(runId)?.secrets,
    forget,
    clear() {
      for (const runId of held.keys()) forget(runId);
    },
  };
}
