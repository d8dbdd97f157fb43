import { describe, expect, it } from 'vitest';
import { books, rig } from './support/rig.ts';

const done = (status: string) => ({ kind: 'done', outcome: { status } });
const charged = ['charge 10.00 BRL', 'settled 10.00 BRL'];

describe('a scenario', () => {
  it('settled: the reply says so', async () => {
    const { purchase, simulator } = await rig({ scenario: 'settled' });
    expect(await purchase('ref-1')).toMatchObject({
      kind: 'done',
      outcome: { status: 'settled', amount: { text: '10.00', currency: 'BRL' } },
    });
    expect(books(simulator)).toEqual(charged);
  });

  it('pending-then-settled: the reply shows a code, and later the money is there', async () => {
    const { purchase, simulator, time, drive, run } = await rig();
    const first = await purchase('ref-1');
    expect(first).toMatchObject({ kind: 'done', outcome: { status: 'pending', show: { kind: 'qr' } } });
    expect(books(simulator)).toEqual(['charge 10.00 BRL']);
    time.advance(3000);
    expect(books(simulator)).toEqual(charged);
    expect(await drive(run('look-1', 'status', 'Two books', { merchantReference: 'ref-1' }))).toMatchObject(
      done('settled'),
    );
  });

  it('declined: the reply says so', async () => {
    const { purchase, simulator } = await rig({ scenario: 'declined' });
    expect(await purchase('ref-1')).toMatchObject(done('declined'));
    expect(books(simulator)).toEqual(['charge 10.00 BRL', 'declined 10.00 BRL']);
  });

  it('manual: nothing happens until the payer pays', async () => {
    const { purchase, simulator, time } = await rig({ scenario: 'manual' });
    await purchase('ref-1');
    time.advance(86_400_000);
    expect(books(simulator)).toEqual(['charge 10.00 BRL']);
    simulator.settle(simulator.payments()[0]?.id ?? '');
    expect(books(simulator)).toEqual(charged);
  });

  it('never-answers: nothing is charged, however often it is asked', async () => {
    const { inVain, run, simulator } = await rig({ scenario: 'never-answers' });
    expect(await inVain(run('ref-1', 'purchase'))).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
    expect(await inVain(run('ref-1', 'purchase'))).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
    expect(books(simulator)).toEqual([]);
  });

  it('answers-after-charging: the caller cannot know, finds out by its reference, and is charged once', async () => {
    const { inVain, purchase, run, simulator } = await rig({ scenario: 'answers-after-charging' });
    expect(await inVain(run('ref-1', 'purchase'))).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
    expect(books(simulator)).toEqual(charged);
    expect(await purchase('ref-1')).toMatchObject(done('settled'));
    expect(books(simulator)).toEqual(charged);
  });

  it.each(['502-html', 'truncated'] as const)(
    '%s: the caller cannot know, finds out by its reference, and is charged once',
    async (scenario) => {
      const { purchase, simulator } = await rig({ scenario });
      expect(await purchase('ref-1')).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
      expect(books(simulator)).toEqual(charged);
      expect(await purchase('ref-1')).toMatchObject(done('settled'));
      expect(books(simulator)).toEqual(charged);
    },
  );

  it('answers-after-charging: a payout under the same key is paid once', async () => {
    const { drive, inVain, run, simulator } = await rig({ scenario: 'answers-after-charging' });
    expect(await inVain(run('ref-1', 'credit'))).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
    expect(await drive(run('ref-1', 'credit'))).toMatchObject(done('settled'));
    expect(books(simulator)).toEqual(['payout 10.00 BRL', 'settled 10.00 BRL']);
    expect(simulator.ledger()[0]).toMatchObject({ reference: 'ref-1', key: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('slow: the answer comes when its time has come', async () => {
    const { purchase, simulator, time } = await rig({ scenario: 'slow' });
    const answer = purchase('ref-1');
    await expect.poll(() => books(simulator)).toEqual(charged);
    time.advance(5000);
    expect(await answer).toMatchObject(done('settled'));
  });

  it('too-many-requests: nothing is charged while the provider is busy, and the payment is charged once after that', async () => {
    const { drive, run, simulator, time } = await rig({ scenario: 'too-many-requests' });
    const busy = { kind: 'interrupted', mayHaveMoved: false, turnedAway: true };
    expect(await drive(run('ref-1', 'purchase'))).toMatchObject({ ...busy, retryAfterMs: 10_000 });
    time.advance(6000);
    expect(await drive(run('ref-1', 'purchase'))).toMatchObject({ ...busy, retryAfterMs: 4000 });
    expect(books(simulator)).toEqual([]);
    time.advance(4000);
    expect(await drive(run('ref-1', 'purchase'))).toMatchObject(done('settled'));
    expect(books(simulator)).toEqual(charged);
  });
});

describe('a scenario is chosen', () => {
  it('by a marker in the description', async () => {
    const { purchase } = await rig();
    expect(await purchase('ref-1', 'A book, simulate:declined')).toMatchObject(done('declined'));
    expect(await purchase('ref-2', 'A book, simulate:no-such-thing')).toMatchObject(done('pending'));
  });

  it('for one reference before one connector before the default', async () => {
    const { purchase, simulator } = await rig({ scenario: 'manual' });
    simulator.setRule({ connector: 'pix-instant', scenario: 'settled' });
    simulator.setRule({ reference: 'ref-2', scenario: 'declined' });
    expect(await purchase('ref-1')).toMatchObject(done('settled'));
    expect(await purchase('ref-2')).toMatchObject(done('declined'));
    simulator.setRule({ connector: 'pix-instant', scenario: 'manual' });
    expect(await purchase('ref-3')).toMatchObject(done('pending'));
  });
});

describe('the provider', () => {
  it('refuses a key that is used for another request', async () => {
    const { simulator } = await rig({ scenario: 'settled' });
    const send = (amount: string) =>
      fetch(`${simulator.baseUrl('pix-instant')}/v1/payouts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'key-1' },
        body: JSON.stringify({ external_id: 'ref-1', amount, currency: 'BRL' }),
      }).then(({ status }) => status);
    expect([await send('10.00'), await send('10.00'), await send('11.00')]).toEqual([201, 201, 409]);
    expect(books(simulator)).toEqual(['payout 10.00 BRL', 'settled 10.00 BRL']);
  });

  it('renews a code that is open, and only such a one; both codes stay payable', async () => {
    const { purchase, simulator, drive, run } = await rig({ scenario: 'manual' });
    await purchase('ref-1');
    const first = simulator.payments()[0]?.id ?? '';
    const renew = (id: string, of: string) =>
      drive(run(id, 'renew', 'Two books', { merchantReference: 'ref-1', providerReference: of }));
    expect(await renew('renew-1', first)).toMatchObject({
      kind: 'done',
      outcome: { status: 'pending', show: { kind: 'qr' } },
    });
    expect(simulator.payments()).toHaveLength(2);
    simulator.settle(first);
    expect(await renew('renew-2', first)).toMatchObject(done('settled'));
    expect(simulator.payments()).toHaveLength(2);
  });

  it('settles by itself only the code that is shown last', async () => {
    const { purchase, simulator, time, drive, run } = await rig();
    await purchase('ref-1');
    const providerReference = simulator.payments()[0]?.id ?? '';
    await drive(run('renew-1', 'renew', 'Two books', { merchantReference: 'ref-1', providerReference }));
    time.advance(3000);
    expect(simulator.payments().map(({ state }) => state)).toEqual(['pending', 'settled']);
  });

  it('says what it does not know', async () => {
    const { simulator, drive, run } = await rig();
    expect(await drive(run('look-1', 'status'))).toMatchObject(done('unknown'));
    const answers = await Promise.all(
      ['/no-connector/v1/charges', '/pix-instant/v2/nothing', '/pix-instant/v1/charges/nope'].map((path) =>
        fetch(simulator.url + path).then(({ status }) => status),
      ),
    );
    expect(answers).toEqual([404, 404, 404]);
  });

  it('refuses an amount that is none', async () => {
    const { simulator } = await rig();
    const reply = await fetch(`${simulator.baseUrl('pix-instant')}/v1/charges`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"external_id":"ref-1","amount":"ten","currency":"BRL"}',
    });
    expect([reply.status, simulator.payments()]).toEqual([400, []]);
  });
});
