import { crashEverywhere, failEverywhere, playThrough, type Scenario } from '@railyard/conformance';
import { expect, test } from 'vitest';
import { regionalConnector } from '../country-fields/connector.ts';
import { regionalBank } from '../country-fields/methods.ts';
import { RegionalProvider } from '../country-fields/provider.ts';
import type { ProviderRequest } from './provider-double.ts';
import { sessionRequest } from './session.ts';

/** Does what it is asked as often as it is asked, although the connector says that it keeps one effect per key. */
class ForgetfulProvider extends RegionalProvider {
  #requests = 0;

  override handle(request: ProviderRequest) {
    this.#requests += 1;
    return super.handle({ ...request, headers: { ...request.headers, 'idempotency-key': String(this.#requests) } });
  }
}

const scenario: Scenario<RegionalProvider> = {
  deployment: {
    connector: regionalConnector,
    method: regionalBank,
    settings: { base_url: 'https://bank.example', api_key: 'key' },
    session: sessionRequest('regional-bank', { billing_address: { country: 'MX' } }),
  },
  provider: () => new ForgetfulProvider(),
  play: ({ host }) => host.pay(),
};

const accept = () => undefined;

test('a crash that has an effect twice is found', async () => {
  await expect(crashEverywhere(scenario, accept)).rejects.toThrow('after POST');
});

test('a lost reply that has an effect twice is found', async () => {
  await expect(failEverywhere(scenario, ['lost'], accept)).rejects.toThrow('with request 1 lost');
});

test('every write and every request has a crash point before and after it', async () => {
  const { points } = await playThrough(scenario);
  const names = points.filter((name) => !name.includes('commit')).map((name) => name.replace(/ https.*/, ''));
  expect(names).toEqual([
    'before begin create-transfer',
    'after begin create-transfer',
    'before POST',
    'after POST',
    'before finish create-transfer',
    'after finish create-transfer',
  ]);
});
