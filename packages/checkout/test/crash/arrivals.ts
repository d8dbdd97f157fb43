/** Wakes whoever waits for something to happen. */
export class Arrivals {
  #waiting: (() => void)[] = [];
  /** How much has happened so far. */
  seen = 0;

  announce(): void {
    this.seen += 1;
    const woken = this.#waiting;
    this.#waiting = [];
    for (const wake of woken) wake();
  }

  /** Waits until more has happened than `seen`, or nobody is patient any longer. */
  async after(seen: number, patience: AbortSignal): Promise<void> {
    if (this.seen > seen || patience.aborted) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      patience.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
