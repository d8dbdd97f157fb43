import {
  Crash,
  crashAt,
  crashingJournal,
  crashingTransport,
  faultyTransport,
  NETWORK_FAULTS,
  type NetworkFault,
} from '@railyard/conformance';
import type { Outcome } from '@railyard/core';
import {
  drive,
  type DriveResult,
  type FlowName,
  kyTransport,
  memoryCredentials,
  memoryJournal,
} from '@railyard/runtime';
import { expect, it, onTestFinished } from 'vitest';
import { opener, rig, usd, visa, visitPage, type Wanted } from './support/rig.ts';

/** A payment, and what is done with it once it is known to have money. */
interface Story {
  readonly name: string;
  readonly wanted: Wanted;
  readonly action?: 'capture' | 'refund' | 'void' | 'recurring';
  /** Effects at the acquirer when nothing goes wrong. */
  readonly effects: readonly string[];
}

const STORIES: readonly Story[] = [
  { name: 'a sale', wanted: { card: visa('01/38') }, effects: ['charge', 'settled'] },
  {
    name: 'a hold and its capture',
    wanted: { card: visa('01/38'), session: { auth: true } },
    action: 'capture',
    effects: ['authorize', 'capture', 'settled'],
  },
  { name: 'a sale with a challenge', wanted: { card: visa('05/38') }, effects: ['charge', 'settled'] },
  { name: 'a sale with a redirect', wanted: { card: visa('12/38') }, effects: ['charge', 'settled'] },
  {
    name: 'a sale and its refund',
    wanted: { card: visa('01/38') },
    action: 'refund',
    effects: ['charge', 'settled', 'refund'],
  },
  {
    name: 'a sale and its void',
    wanted: { card: visa('01/38') },
    action: 'void',
    effects: ['charge', 'settled', 'cancel'],
  },
  {
    name: 'a chain and a later charge',
    wanted: { card: visa('01/38'), session: { recurring_init: true } },
    action: 'recurring',
    effects: ['charge', 'settled', 'charge', 'settled'],
  },
  {
    name: 'a payout',
    wanted: {
      operation: 'credit',
      session: { payee: { name: 'Ada Example' } },
      card: { number: '4601541833776519', expiry: '01/38' },
    },
    effects: ['payout', 'settled'],
  },
];

interface Faults {
  readonly crashes?: readonly number[];
  readonly network?: { readonly at: number; readonly fault: NetworkFault };
}

/** Plays stories against one acquirer, each time as another payment. */
async function stage() {
  const at = await rig();
  const transport = kyTransport();
  onTestFinished(() => transport.close());
  let plays = 0;

  /** Plays a story to its end, beginning again from the journal after every crash. */
  return async function play({ wanted, action }: Story, { crashes = [], network }: Faults = {}) {
    plays += 1;
    const reference = `play-${plays}`;
    const points = crashAt(crashes);
    const journal = memoryJournal();
    let sends = 0;
    const counted: typeof transport = {
      ...transport,
      send: (request) => ((sends += 1), transport.send(request)),
    };
    const network_ = network === undefined ? counted : faultyTransport(counted, network.at, network.fault);
    // The code is in the memory of the process that was given it, and nowhere else.
    let typed = wanted.card;
    const host = {
      journal: crashingJournal(journal, points),
      transport: crashingTransport(network_, points),
      credentials: memoryCredentials(at.time.clock),
    };
    const go = async (id: string, flow: FlowName, context: object, keep = true): Promise<DriveResult> => {
      const run = at.runOf(`${reference}/${id}`, flow, context);
      const own = keep ? host : { ...host, journal: memoryJournal() };
      const open = { ...own, openCard: opener(typed) };
      let result = await drive(run, open);
      for (let tries = 0; tries < 4; tries += 1) {
        if (result.kind === 'suspended' && result.nextAction.kind === 'visit') {
          const { step } = result.nextAction;
          result = await drive(run, open, { step, values: await visited(result.nextAction) });
        } else if (result.kind === 'interrupted') result = await drive(run, open);
      }
      return result;
    };
    const visits = new Map<string, Readonly<Record<string, string>>>();
    const visited = async (nextAction: Parameters<typeof visitPage>[0]) => {
      const values = visits.get(nextAction.url) ?? (await visitPage(nextAction));
      visits.set(nextAction.url, values);
      return values;
    };
    /** What is known in the end: by the flow, or by asking. */
    const ask = async (result: DriveResult, lookUp: () => Promise<DriveResult>): Promise<Outcome | undefined> => {
      const known = result.kind === 'done' ? result.outcome : undefined;
      if (known !== undefined && known.status !== 'unknown' && known.status !== 'pending') return known;
      const found = await lookUp();
      return found.kind === 'done' ? found.outcome : known;
    };
    const perform = async () => {
      const operation = wanted.operation ?? 'purchase';
      const payment = at.known(reference, undefined, wanted);
      const outcome = await ask(await go('pay', operation, { payment }), () =>
        go('status', 'status', { payment }, false),
      );
      if (outcome === undefined || (outcome.status !== 'settled' && outcome.status !== 'authorized'))
        return { outcome };
      if (action === undefined) return { outcome };
      const original = {
        ...payment,
        connectorState: {},
        agreement: outcome.agreement ?? {},
        providerReference: outcome.providerReference,
      };
      if (action === 'recurring') {
        const { card: _card, ...later } = at.known(`${reference}-b`, undefined, { amount: '7.00' });
        const charged = await go('recurring', 'recurring', { payment: later, initial: original });
        return { outcome, acted: await ask(charged, () => go('status-b', 'status', { payment: later }, false)) };
      }
      const id = `${reference}-act`;
      const asked = { id, amount: usd('25.00'), remaining: usd('25.00'), held: false };
      const looked = { payment: original, modification: { name: action, id, amount: usd('25.00') } };
      const result = await go('act', action, { payment: original, ...asked });
      return { outcome, acted: await ask(result, () => go('action-status', 'modificationStatus', looked, false)) };
    };
    for (;;) {
      try {
        const { outcome, acted } = await perform();
        const effects = at.simulator
          .ledger()
          .filter((entry) => entry.reference === reference || entry.reference === `${reference}-b`)
          .map(({ effect }) => effect);
        return { outcome, acted, effects, points: points.names, sends };
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        typed = typed && { ...typed, cvv: undefined };
      }
    }
  };
}

type Played = Awaited<ReturnType<Awaited<ReturnType<typeof stage>>>>;

/** Everything happened once and is known; or, where the code was forgotten before anything left, nothing happened. */
function expectOnceOrNotAtAll({ effects, outcome, acted }: Played, story: Story, when: string): void {
  if (effects.length === 0) {
    expect(['declined', 'unknown'], when).toContain(outcome?.status);
    return;
  }
  expect(effects, when).toEqual(story.effects);
  expect(['settled', 'authorized'], when).toContain(outcome?.status);
  if (story.action !== undefined) expect(acted, when).toMatchObject({ status: 'settled' });
}

it.each(STORIES)('$name: a crash anywhere charges once or not at all', async (story) => {
  const play = await stage();
  const whole = await play(story);
  expect(whole.effects).toEqual(story.effects);
  for (const [index, point] of whole.points.entries())
    expectOnceOrNotAtAll(await play(story, { crashes: [index + 1] }), story, `after a crash ${point}`);
});

it.each(STORIES)('$name: every network fault at every request charges once', async (story) => {
  const play = await stage();
  const { sends } = await play(story);
  for (const fault of NETWORK_FAULTS)
    for (let at = 1; at <= sends; at += 1) {
      const played = await play(story, { network: { at, fault } });
      expect(played.effects, `request ${at} ${fault}`).toEqual(story.effects);
      expectOnceOrNotAtAll(played, story, `request ${at} ${fault}`);
    }
});
