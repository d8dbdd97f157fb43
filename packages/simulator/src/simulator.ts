import { kyTransport } from '@railyard/runtime';
import { createBank } from './bank.ts';
import { answerControl } from './control.ts';
import { createSimulatorControl, type SimulatorControl } from './simulator-control.ts';
import { mountsOf, type SimulatedConnector } from './mount.ts';
import { createNotifier } from './notify.ts';
import { page } from './page.ts';
import { answerProvider } from './provider.ts';
import { fileRecords, noRecords } from './records.ts';
import { createRules } from './rules.ts';
import type { NotificationMode, Scenario } from './scenarios.ts';
import { serve } from './server.ts';
import { type Scheduler, timers } from './time.ts';

export interface SimulatorOptions {
  readonly connectors: readonly SimulatedConnector[];
  /** Default 0: any free port. It listens on 127.0.0.1 only. */
  readonly port?: number;
  /** Milliseconds since 1970. Default: the machine's clock. */
  readonly clock?: () => number;
  /** Default: the machine's timers. */
  readonly scheduler?: Scheduler;
  /** The scenario of payments without a rule or marker of their own. Default `pending-then-settled`. */
  readonly scenario?: Scenario;
  /** Default `once`. */
  readonly notifications?: NotificationMode;
  readonly times?: Partial<SimulatorTimes>;
  /** A file that keeps payments and ledger over a restart. Without it everything is forgotten. */
  readonly dataFile?: string;
}

export interface SimulatorTimes {
  /** Until a pending payment settles by itself, and until a capture, void or refund ends that is late. Default 3,000. */
  readonly settleAfterMs: number;
  /** How long a slow answer takes. Default 5,000. */
  readonly slowMs: number;
  /** How long an answer takes that comes after the deadline of every caller. Default 120,000. */
  readonly deadlineMs: number;
  /** How long lookups lag. Default 60,000. */
  readonly lagMs: number;
  /** How many lookups lag at most. Default 3. */
  readonly lagLookups: number;
  /** How late a late notification is. Default 60,000. */
  readonly lateMs: number;
  /** How late one is that comes days later. Default three days. */
  readonly daysLaterMs: number;
  /** Pauses between tries of a notification that was not acknowledged. Default 1 s, 5 s, 30 s, 2 min, 10 min. */
  readonly retryMs: readonly number[];
}

export interface Simulator extends Omit<SimulatorControl, 'mounts' | 'follow' | 'resume'> {
  /** `http://127.0.0.1:<port>`; the payer's bank is the page at `/`. */
  readonly url: string;
  /** The address of the provider's API for a connector: the value of its base URL setting. */
  baseUrl(mid: string): string;
  /** How many callers wait for an answer that will not come. */
  waiting(): number;
  /** Breaks the connections of waiting requests, as a time-out on the way would. */
  hangUp(): void;
  close(): Promise<void>;
}

const TIMES: SimulatorTimes = {
  settleAfterMs: 3_000,
  slowMs: 5_000,
  deadlineMs: 120_000,
  lagMs: 60_000,
  lagLookups: 3,
  lateMs: 60_000,
  daysLaterMs: 3 * 86_400_000,
  retryMs: [1_000, 5_000, 30_000, 120_000, 600_000],
};

/**
 * Starts a local provider for connectors.
 *
 * @example
 * const simulator = await createSimulator({
 *   connectors: [{ connector: instantConnector, simulation: instantSimulation, settings }],
 * });
 */
export async function createSimulator(options: SimulatorOptions): Promise<Simulator> {
  const times = { ...TIMES, ...options.times };
  const clock = options.clock ?? Date.now;
  const scheduler = options.scheduler ?? timers();
  let url = '';
  const records = options.dataFile === undefined ? noRecords() : fileRecords(options.dataFile);
  const bank = createBank(records, clock, { ms: times.lagMs, lookups: times.lagLookups });
  const mounts = mountsOf(options.connectors, {
    payerUrl: (id) => `${url}/?payment=${id}`,
    modificationsOf: bank.modificationsOf,
  });
  const rules = createRules({
    scenario: options.scenario ?? 'pending-then-settled',
    notifications: options.notifications ?? 'once',
  });
  const transport = kyTransport();
  const notifier = createNotifier({
    transport,
    scheduler,
    clock,
    lateMs: times.lateMs,
    daysLaterMs: times.daysLaterMs,
    retryMs: times.retryMs,
  });
  const simulator = createSimulatorControl({
    bank,
    mounts,
    rules,
    notifier,
    clock,
    scheduler,
    settleAfterMs: times.settleAfterMs,
  });
  const { mounts: _mounts, follow, resume, ...doors } = simulator;
  resume();

  const served = await serve({
    port: options.port ?? 0,
    slow: (task) => scheduler.after(times.slowMs, task),
    late: (task) => scheduler.after(times.deadlineMs, task),
    provider: (name, request) => {
      const mount = mounts.get(name);
      if (mount === undefined) return undefined;
      const routedReply = answerProvider(bank, rules, mount, request);
      const { arrive } = routedReply;
      return { ...routedReply, after: () => follow(arrive?.() ?? routedReply) };
    },
    control: (request) => answerControl(simulator, request),
    page: (request) => page(simulator, request),
  });
  url = `http://127.0.0.1:${served.port}`;
  return {
    ...doors,
    url,
    baseUrl: (mid) => `${url}/${mid}`,
    waiting: served.waiting,
    hangUp: served.hangUp,
    async close() {
      await served.close();
      await transport.close();
    },
  };
}
