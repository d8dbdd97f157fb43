import { describe, expect, it } from 'vitest';
import { askedOf } from './support/asked.ts';
import { answerWith, type Good, type Limit, limitsOf } from './support/limits.ts';

const long = (length: number) => 'x'.repeat(length);

const withoutParameters = ['widget', 'app', 'qr', 'payment-details'];
const documents = ['document-redirect', 'document-redirect-alt'];

const number: Limit = ['document_number', ['1', long(255), undefined], ['', ' ', long(256), 7, null]];
const goodOf = (key: string, parameters: Good['parameters']): Good => ({ key, currency: 'USD', parameters });
const typed = goodOf('document-redirect-typed', { document_number: '1701234567', document_type: 'CI' });

for (const key of withoutParameters) limitsOf(goodOf(key, {}), []);
for (const key of documents) limitsOf(goodOf(key, { document_number: '1701234567' }), [number]);
limitsOf(typed, [number, ['document_type', ['C', long(255), undefined], ['', ' ', long(256), 7, null]]]);

it.each([...withoutParameters, ...documents, typed.key])('%s is taken in any currency and country', (key) => {
  const good = goodOf(key, {});
  expect(answerWith({ ...good, currency: 'SEK', session: { billing_address: { country: 'SE' } } })).toEqual([]);
});

describe('the payer is asked for', () => {
  const from = (country: string) => ({ billing_address: { country } });
  const none = (key: string) => goodOf(key, {});
  const at = (key: string, ...names: readonly string[]) => names.map((name) => `parameters.${key}.${name}`);

  it.each(documents)('the number of the document where the request has none: %s', (key) => {
    expect(askedOf(none(key))).toEqual(at(key, 'document_number'));
    expect(askedOf(goodOf(key, { document_number: '17' }))).toMatchObject({ parameters: { document_number: '17' } });
  });

  it('its type too, but in Guatemala, Panama and Costa Rica', () => {
    const { key } = typed;
    expect(askedOf(none(key))).toEqual(at(key, 'document_number', 'document_type'));
    expect(askedOf(none(key), from('EC'))).toEqual(at(key, 'document_number', 'document_type'));
    expect(askedOf(typed, from('EC'))).toMatchObject({ parameters: typed.parameters });
    for (const country of ['GT', 'PA', 'CR']) {
      expect(askedOf(none(key), from(country))).toEqual(at(key, 'document_number'));
      expect(askedOf(typed, from(country))).toMatchObject({ parameters: typed.parameters });
    }
  });
});
