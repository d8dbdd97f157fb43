import type { Mutant } from './build-child.ts';
import type { Flow } from './flow.ts';
import { sale } from './card-flows.ts';
import { voucher } from './family-flows.ts';
import { payout, purchase, twoStep } from './flows.ts';
import type { Point } from './gate.ts';

/** A fault that the crash points must show, and where it is looked for. */
export interface Fault {
  readonly name: string;
  readonly mutants: readonly Mutant[];
  readonly flow: Flow;
  readonly at: (point: Point) => boolean;
  /** What at least one failure must say. That something fails is not enough: a service that does not start fails as well. */
  readonly says: RegExp;
}

const journal = (point: Point) => point.link === 'database' && point.what.includes('INSERT INTO journal');
const provider = (point: Point) => point.link === 'provider';
const outbox = (point: Point) => point.link === 'database' && point.what.includes('INSERT INTO callbacks');

/** What the provider may have is sent to it again. */
const unasked: Mutant = {
  file: 'runtime/src/perform-call.ts',
  find: "if (maybeSent && endpoint.repeat === 'by-reference') {",
  replace: "if (maybeSent && endpoint.repeat === 'by-reference' && endpoint.name === '') {",
};

export const FAULTS: readonly Fault[] = [
  {
    name: 'a call that is written down only after it was sent',
    mutants: [
      {
        file: 'runtime/src/perform-call.ts',
        find: `await host.journal.begin(run.id, step, 'call');`,
        replace: 'const sent = await exchange.send(); await host.journal.begin(run.id, step, "call");',
      },
      {
        file: 'runtime/src/perform-call.ts',
        find: 'const { result, reply } = await exchange.send();\n  // The 401',
        replace: 'const { result, reply } = sent;\n  // The 401',
      },
    ],
    flow: twoStep,
    at: (point) => provider(point) || journal(point),
    says: /: money 2 times$/,
  },
  {
    name: 'callbacks that are written after the change of the payment',
    mutants: [
      {
        file: 'checkout/src/payments/change/write.ts',
        find: 'written = await stores.payments.applyTransition({ ...transition, claimMs: place?.claimMs });',
        replace: `const { callbacks = [], ...rest } = transition;
          written = await stores.payments.applyTransition(rest);
          if (written.result === 'applied')
            for (const [index, callback] of callbacks.entries())
              await context.db.insertInto('callbacks').values({ ...callback, paymentId: written.payment.id,
                merchantKey: written.payment.merchantKey, seq: written.payment.version * 10 + index, nextTryAt: context.sqlClock(),
                createdAt: context.sqlClock() }).execute();`,
      },
    ],
    flow: payout,
    at: (point) => outbox(point) || point.what.startsWith('insert into "callbacks"'),
    says: /The callback "success" of \S+ did not come|settled, and told/,
  },
  {
    name: 'no answer that is taken for a decline',
    mutants: [
      {
        file: 'runtime/src/drive.ts',
        find: `outcome: unknown(why) } };\n    }\n    case 'card-gone'`,
        replace: `outcome: declined('soft', 'not_completed', { reason: why }) } };\n    }\n    case 'card-gone'`,
      },
    ],
    flow: twoStep,
    at: (point) => provider(point) && point.moment === 'done',
    says: /: money 2 times$/,
  },
  {
    name: 'a second try under a new reference',
    mutants: [
      {
        file: 'checkout/src/payments/runs/load.ts',
        find: 'merchantReference: payment.merchantReference,',
        replace: 'merchantReference: stored.tries > 0 ? context.newId() : payment.merchantReference,',
      },
    ],
    flow: purchase,
    at: (point) => provider(point) && point.moment === 'done',
    says: /^The provider has \S+, the database has not$/,
  },
  {
    name: 'a callback that counts as delivered before it was sent',
    mutants: [
      {
        file: 'checkout/src/callbacks/deliver.ts',
        find: 'const started = context.now();',
        replace: `const started = context.now();
await context.stores.callbacks.recordAttempt(callback, { durationMs: 0, next: { state: 'delivered' } });`,
      },
    ],
    flow: payout,
    at: (point) => point.link === 'merchant' && point.moment === 'before',
    says: /: a callback that never came$/,
  },
  {
    name: 'a charge of a card that is sent again without being looked up',
    mutants: [unasked],
    flow: sale,
    // Only a process that lives on has the code to send it again.
    at: (point) => provider(point) && point.moment === 'cut',
    says: /: money 2 times$/,
  },
  {
    name: 'a reference of a voucher that is asked for again without being looked up',
    mutants: [unasked],
    flow: voucher,
    at: (point) => provider(point) && point.moment === 'done',
    says: /: opened 2 times$/,
  },
  {
    name: 'a card that is written to the log before it is sent',
    mutants: [
      {
        file: 'runtime/src/perform-call.ts',
        find: 'const part = host.openCard?.(handle);',
        replace: 'const part = host.openCard?.(handle); console.log(part);',
      },
    ],
    flow: sale,
    at: (point) => provider(point) && point.moment === 'before',
    says: /^the log has the number of a card$/,
  },
];
