import * as z from 'zod';

const FAULTS = ['work-failed', 'recovery-failed', 'flow-failed', 'notification-failed'];

const lineSchema = z.object({
  event: z.string(),
  payment: z.string().optional(),
  to: z.string().optional(),
});

/** A payment that was told as failed, with the references for which the provider had money at that moment, or was still to get it. */
interface Declined {
  readonly payment: string;
  readonly withMoney: readonly string[];
}

/** What a service wrote into its log, as those read it who have to act on it. */
export class Reports {
  /** What failed for a reason of our own. */
  readonly failures: string[] = [];
  readonly declined: Declined[] = [];
  readonly #raised = new Set<string>();
  readonly #withMoney: () => readonly string[];

  constructor(withMoney: () => readonly string[]) {
    this.#withMoney = withMoney;
  }

  take(text: string): void {
    const { event, payment, to } = lineSchema.parse(JSON.parse(text));
    if (FAULTS.includes(event)) this.failures.push(text.trim());
    if (payment === undefined) return;
    if (event === 'needs-attention') this.#raised.add(payment);
    if (event === 'payment' && (to === 'declined' || to === 'expired'))
      this.declined.push({ payment, withMoney: this.#withMoney() });
  }

  /** Whether an operator was called about a payment. */
  isRaised(payment: string): boolean {
    return this.#raised.has(payment);
  }
}
