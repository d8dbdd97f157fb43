// Run by itself: a deployment as a process of its own, which can be told to kill itself at a point of a provider call.
import { kyTransport, type Transport } from '@railyard/runtime';
import * as z from 'zod';
import { startCheckout } from '../../src/index.ts';
import { anyMethodConfig } from './any-method-config.ts';
import { CASCADING, cardConfig } from './card-config.ts';
import { mobileMoneyConfig } from './mobile-money-config.ts';
import { type RealName, realConfig } from './real-provider-configs.ts';
import { pixConfig } from './pix-config.ts';

const killSchema = z.enum(['before-call', 'after-reply', 'pause-before-call', 'never']);
const givenSchema = z.object({
  provider: z.object({ url: z.string(), apiKey: z.string(), webhookSecret: z.string() }),
  callbackUrl: z.string(),
  port: z.int(),
  place: z.object({
    dataDir: z.string(),
    databaseUrl: z.string().exactOptional(),
    encryptionKey: z.string().exactOptional(),
  }),
  kill: killSchema,
  deployment: z
    .enum(['any-method', 'btcpay', 'card', 'cascading', 'conekta', 'mobile-money', 'paypal', 'paystack', 'pix-bcb'])
    .optional(),
});

const given = givenSchema.parse(JSON.parse(process.env['CHECKOUT_TEST'] ?? ''));
let { kill } = given;

function dying(inner: Transport): Transport {
  const die = () => {
    process.kill(process.pid, 'SIGKILL');
    return new Promise<never>(() => {});
  };
  const pause = async () => {
    kill = 'never';
    await new Promise((resolve) => process.send?.('pausing', resolve));
    process.kill(process.pid, 'SIGSTOP');
  };
  return {
    async send(request) {
      const calls = request.url.startsWith(given.provider.url);
      if (calls && kill === 'before-call') await die();
      if (calls && kill === 'pause-before-call') await pause();
      const result = await inner.send(request);
      if (calls && kill === 'after-reply') await die();
      return result;
    },
  };
}

const transport = kyTransport();
const { provider, deployment, ...at } = given;
const to = { providerUrl: provider.url, callbackUrl: at.callbackUrl, port: at.port };
const real = (name: RealName) => () => realConfig(name, provider.url, at.callbackUrl, at.port);
const configs = {
  btcpay: real('btcpay'),
  conekta: real('conekta'),
  paypal: real('paypal'),
  paystack: real('paystack'),
  'pix-bcb': real('pix-bcb'),
  'any-method': () => anyMethodConfig(to),
  card: () => cardConfig(to),
  cascading: () => cardConfig(to, CASCADING),
  'mobile-money': () => {
    const { url, apiKey: secretKey, webhookSecret: notificationSecret } = provider;
    return mobileMoneyConfig({ url, secretKey, notificationSecret }, at.callbackUrl, at.port);
  },
};
const config =
  deployment === undefined
    ? pixConfig(provider, at.callbackUrl, at.port, at.place)
    : { ...configs[deployment](), ...at.place };
const checkout = await startCheckout(config, { transport: dying(transport) });
process.on('message', (message) => {
  kill = killSchema.parse(message);
  process.send?.('armed');
});
// The channel to the test does not keep the process alive: whether the service leaves anything behind that does is tested.
process.channel?.unref();
process.once('SIGTERM', () => {
  void checkout.stop().then(() => transport.close());
});
process.send?.('listening');
