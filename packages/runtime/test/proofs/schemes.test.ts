import { type ArrivedNotification, eventKey, withPlace } from '@railyard/core/driver';
import { readPath } from '@railyard/core';
import { describe, expect, test } from 'vitest';
import * as fc from '../../../../test/support/properties.ts';
import { receiveNotification } from '../../src/index.ts';
import { schemes } from './schemes.ts';
import { NOW, type Scheme } from './support.ts';

const receive = (scheme: Scheme, raw: ArrivedNotification, { at = NOW, key = scheme.ours.setting } = {}) =>
  receiveNotification(scheme.connector, { key }, raw, at);

/** The proof of a notification replaced by another text. */
function withProof({ proof }: Scheme, raw: ArrivedNotification, change: (text: string) => string): ArrivedNotification {
  if ('header' in proof) {
    const { [proof.header]: text = '' } = raw.headers;
    return { ...raw, headers: { ...raw.headers, [proof.header]: change(text) } };
  }
  const body: unknown = JSON.parse(raw.body);
  const text = String(readPath(body, proof.field));
  return { ...raw, body: JSON.stringify(withPlace(body, proof.field, change(text))) };
}

/** Of those whose proof is in the body. */
const withoutField = (body: string) => body.replace(/hmacSignature|signature_key/, 'none');

describe.each(Object.entries(schemes))('%s', (name, scheme) => {
  const { ours, others, timed, covers, lists } = scheme;

  test('takes a genuine notification', async () => {
    expect(receive(scheme, await scheme.send(ours.signs, NOW))).toMatchObject({
      kind: 'events',
      proven: name !== 'Mercado Pago',
    });
  });

  test('refuses one that is signed with the key of another account, and another account refuses ours', async () => {
    const [mine, theirs] = [await scheme.send(ours.signs, NOW), await scheme.send(others.signs, NOW)];
    expect(receive(scheme, theirs)).toMatchObject({ kind: 'refused', why: 'signature' });
    expect(receive(scheme, mine, { key: others.setting })).toMatchObject({ kind: 'refused', why: 'signature' });
    expect(receive(scheme, theirs, { key: others.setting })).toMatchObject({ kind: 'events' });
  });

  test.each([
    ['cut short', (text: string) => text.slice(0, -4)],
    ['longer', (text: string) => `${text}A`],
    ['empty', () => ''],
    ['another', (text: string) => text.replace(/[a-z](?=[^a-z]*$)/i, (letter) => (letter === 'a' ? 'b' : 'a'))],
    ['not ASCII', (text: string) => `${text.slice(0, -1)}é`],
    ['longer than any signature', (text: string) => `${text}${'A'.repeat(20_000)}`],
    ['a thousand of them', (text: string) => Array.from({ length: 1000 }, () => `${text}A`).join(',')],
  ])('refuses a proof that is %s', async (_which, change) => {
    const raw = await scheme.send(ours.signs, NOW);
    expect(receive(scheme, withProof(scheme, raw, change))).toMatchObject({ kind: 'refused', why: 'signature' });
  });

  test(`${lists === true ? 'finds the genuine one among' : 'refuses'} proofs in two headers, which servers join`, async () => {
    const raw = await scheme.send(ours.signs, NOW);
    const twice = withProof(scheme, raw, (text) => `${text}, ${text}`);
    expect(receive(scheme, twice).kind).toBe(lists === true ? 'events' : 'refused');
  });

  test('refuses one without a proof, or with an empty key in the settings', async () => {
    const raw = await scheme.send(ours.signs, NOW);
    expect(receive(scheme, { ...raw, headers: {}, body: withoutField(raw.body) })).toMatchObject({
      why: 'signature',
    });
    expect(receive(scheme, raw, { key: '' })).toMatchObject({ why: 'signature' });
  });

  test('refuses a body that is cut short or changed', async () => {
    const { bytes: _bytes, ...raw } = await scheme.send(ours.signs, NOW);
    const cut = receive(scheme, { ...raw, body: raw.body.slice(0, -1) });
    // What proves nothing of the body proves the sender of one that cannot be read.
    const taken = cut.kind === 'events' ? cut.events : undefined;
    expect(taken === undefined || (covers !== undefined && taken.length === 0)).toBe(true);
    // A secret alone, or a signature of the address, says nothing of the body: TLS protects it, and hints are looked up.
    if (covers === 'nothing of the body') return;
    const changed = { ...raw, body: raw.body.replace('1130', '9130').replace('5.00', '9.00') };
    expect(receive(scheme, changed)).toMatchObject({ kind: 'refused', why: 'signature' });
  });

  test(
    timed ? 'refuses a replay by its signed time' : 'gives a replay the same event ids, under which it is stored once',
    async () => {
      const raw = await scheme.send(ours.signs, NOW);
      const later = receive(scheme, raw, { at: NOW + 3_600_000 });
      if (timed) return expect(later).toMatchObject({ kind: 'refused', why: 'stale' });
      const first = receive(scheme, raw);
      const keysOf = (received: typeof first) => (received.kind === 'events' ? received.events.map(eventKey) : []);
      expect(keysOf(first).length).toBeGreaterThan(0);
      return expect(keysOf(later)).toEqual(keysOf(first));
    },
  );

  test('refuses whatever a stranger sends, and never throws', async () => {
    const genuine = await scheme.send(ours.signs, NOW);
    const names = fc.constantFrom(...Object.keys(genuine.headers), 'x-other');
    const stranger = fc.record({
      headers: fc.dictionary(
        names,
        fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.constant('t=1,v1=00,t=2')),
      ),
      body: fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.constant(withoutField(genuine.body))),
      url: fc.constantFrom('', 'https://pay.example/notify/m1?data.id=%', 'no address'),
    });
    fc.assert(
      fc.property(stranger, (raw) => receive(scheme, raw).kind === 'refused'),
      { numRuns: 200 },
    );
  });

  test('says why without the key', async () => {
    const raw = await scheme.send(others.signs, NOW);
    expect(JSON.stringify(receive(scheme, raw))).not.toContain(ours.signs.slice(0, 40));
  });
});
