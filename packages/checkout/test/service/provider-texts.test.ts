import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/deployment/config.ts';
import { createDirectory } from '../../src/merchants/directory.ts';
import type { CheckoutConfig } from '../../src/index.ts';
import { saleFields } from '../support/card-commands.ts';
import { refusalLines, sendCommand } from '../support/commands.ts';
import { realConfig } from '../support/real-provider-configs.ts';
import { post, sessionBody, startOn } from '../support/service.ts';

const NOWHERE = 'http://127.0.0.1:1';
/** Texts for a statement that each provider refuses, and one that it takes. */
const accounts = [
  {
    name: 'Stripe',
    account: 'stripe',
    refused: ['SHOP*BOOKS', '12345', "ANN'S", 'A<B', 'CAFÉ'],
    taken: 'SHOP BOOKS 24/7',
  },
  { name: 'Adyen', account: 'adyen', refused: ['SHOP <BOOKS>', 'CAFÉ'], taken: "SHOP*ANN'S" },
] as const;

const withDefault = (config: CheckoutConfig, descriptor: string): CheckoutConfig => ({
  ...config,
  mids: (config.mids ?? []).map((mid) => ({ ...mid, defaults: { card: { sets: ['descriptor'], descriptor } } })),
});

describe.each(accounts)('a text that $name refuses', ({ name, account, refused, taken }) => {
  let service: Awaited<ReturnType<typeof startOn>>;
  beforeAll(async () => {
    service = await startOn((port) => realConfig(account, NOWHERE, NOWHERE, port));
  });
  afterAll(() => service.stop());
  const session = (descriptor: string) => sessionBody({ methods: ['card'], parameters: { card: { descriptor } } });

  test('is refused when the session is made, and named', async () => {
    for (const descriptor of refused) {
      const { status, json } = await post(`${service.url}/api/v1/session`, session(descriptor));
      expect([status, JSON.stringify(json)], descriptor).toEqual([400, expect.stringContaining(name)]);
    }
    expect((await post(`${service.url}/api/v1/session`, session(taken))).status).toBe(200);
  });

  test('is refused in a command', async () => {
    const reply = await sendCommand(service.url, saleFields({ 'parameters[descriptor]': refused[0] ?? '' }));
    expect(refusalLines(reply)).toEqual([expect.stringMatching(name)]);
  });

  test('is refused when the account is configured', () => {
    const read = (descriptor: string) =>
      createDirectory(parseConfig(withDefault(realConfig(account, NOWHERE, NOWHERE, 8080), descriptor)));
    for (const descriptor of refused)
      expect(() => read(descriptor), descriptor).toThrow(/mids\.0\.defaults\.card\.descriptor: /);
    expect(() => read(taken)).not.toThrow();
  });
});
