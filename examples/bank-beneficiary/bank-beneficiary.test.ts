import {
  crashEverywhere,
  crashTwice,
  failEverywhere,
  NETWORK_FAULTS,
  type Played,
  playThrough,
  type Scenario,
} from '@railyard/conformance';
import type { Signal, NextAction } from '@railyard/runtime';
import { describe, expect, test } from 'vitest';
import { sessionRequest } from '../support/session.ts';
import { bankConnector } from './connector.ts';
import { bankBeneficiary } from './methods.ts';
import { BankProvider, type CodeStage } from './provider.ts';

/** The payer's first code is wrong, the second question is answered by "send it again", then the code is right. */
function payer(provider: BankProvider, asked: NextAction[] = []) {
  const given = new Map<string, Signal>();
  return {
    signal(nextAction: NextAction): Signal | undefined {
      asked.push(nextAction);
      const { step } = nextAction;
      const answer = given.get(step) ?? decide(step);
      given.set(step, answer);
      return answer;
    },
  };

  function decide(step: string): Signal {
    if (step === 'user') return { step, values: { user: 'ada' } };
    if (step === 'account') return { step, values: { account: 'acc-2' } };
    if (step === 'code') return { step, values: { code: '999999' } };
    return step === 'code#2' ? { step, resend: true } : { step, values: { code: provider.codeSent() } };
  }
}

function scenario(asksAt: readonly CodeStage[], asked: NextAction[] = []): Scenario<BankProvider> {
  const people = new WeakMap<BankProvider, ReturnType<typeof payer>>();
  return {
    deployment: {
      connector: bankConnector,
      method: bankBeneficiary,
      settings: { base_url: 'https://bank.example', api_key: 'key' },
      session: sessionRequest('bank-beneficiary'),
      mid: { beneficiary: 'ES9121000418' },
    },
    provider: () => new BankProvider(asksAt),
    async play({ host, provider }) {
      const person = people.get(provider) ?? payer(provider, asked);
      people.set(provider, person);
      await host.pay(person);
    },
  };
}

function expectPaid({ payment, provider }: Played<BankProvider>): void {
  expect(payment.state).toMatchObject({ state: 'settled', unknown: false });
  expect(provider.ledger.filter(({ effect }) => effect === 'charge')).toHaveLength(1);
}

describe.each<[string, readonly CodeStage[]]>([
  ['at no stage', []],
  ['at the log-in', ['log-in']],
  ['at the payment', ['pay']],
  ['at both stages', ['log-in', 'pay']],
])('with a code %s', (_what, asksAt) => {
  test('the payer logs in, chooses an account and pays once', async () => {
    const asked: NextAction[] = [];
    expectPaid(await playThrough(scenario(asksAt, asked)));
    const steps = asked.map(({ step }) => step);
    expect(steps.filter((step) => step.startsWith('code'))).toHaveLength(asksAt.length === 0 ? 0 : asksAt.length + 2);
  });

  test('every crash ends in one payment', async () => {
    const points = await crashEverywhere(scenario(asksAt), expectPaid);
    expect(points).toBeGreaterThan(25);
  });

  test('every network fault ends in one payment', async () => {
    await failEverywhere(scenario(asksAt), NETWORK_FAULTS, expectPaid);
  });
});

test('two crashes end in one payment', async () => {
  await crashTwice(scenario(['log-in', 'pay']), expectPaid);
});

test('the page is given the accounts of the payer as choices', async () => {
  const asked: NextAction[] = [];
  await playThrough(scenario([], asked));
  expect(asked[1]).toEqual({
    kind: 'collect',
    step: 'account',
    mayTurnBack: false,
    resend: false,
    fields: [
      {
        name: 'account',
        label: 'Pay from',
        input: 'select',
        required: true,
        options: [
          { value: 'acc-1', label: 'Current account' },
          { value: 'acc-2', label: 'Savings' },
        ],
      },
    ],
  });
});

test('a wrong code is asked again with the reason, and a resent one without', async () => {
  const asked: NextAction[] = [];
  const { provider } = await playThrough(scenario(['pay'], asked));
  const codes = asked.filter(({ step }) => step.startsWith('code'));
  expect(codes.map(({ step }) => step)).toEqual(['code', 'code#2', 'code#3']);
  expect(codes.map((each) => (each.kind === 'collect' ? each.error : ''))).toEqual([
    undefined,
    'This code is wrong. You have 2 more tries.',
    undefined,
  ]);
  expect(provider.ledger.map(({ effect }) => effect)).toEqual(['log in', 'order', 'wrong code 1', 'resend', 'charge']);
});

test('a choice that was not offered is refused on the page', async () => {
  const { payment } = await playThrough({
    ...scenario([]),
    async play({ host }) {
      await host.pay({ signal: ({ step }) => (step === 'user' ? { step, values: { user: 'ada' } } : undefined) });
      await host.answer({ step: 'account', values: { account: 'not-listed' } });
    },
  });
  expect(payment.nextAction).toMatchObject({ step: 'account' });
  expect(payment.state.state).toBe('created');
});

test('three wrong codes are a soft decline', async () => {
  const wrong = ({ step }: NextAction): Signal =>
    step === 'user' ? { step, values: { user: 'ada' } } : { step, values: { code: '999999' } };
  const { payment } = await playThrough({ ...scenario(['log-in']), play: ({ host }) => host.pay({ signal: wrong }) });
  expect(payment.state.state).toBe('declined');
  expect(payment.reason).toBe('The bank locked the access after too many wrong codes.');
});
