import { anyMethodProvider } from '../support/any-method-connector.ts';
import { pixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import type { Gate, Moment } from './gate.ts';
import { httpGate } from './http-gate.ts';
import { twoStepProvider } from './two-step-provider.ts';

/** What a provider did: moved money, or held it. */
export type Effect = 'money' | 'hold';

interface Entry {
  readonly effect: Effect;
  /** Ours. */
  readonly reference: string;
  readonly times: number;
}

/** The providers' ledgers. */
export function ledgerOf({ pix, twoStep, card }: Outside): readonly Entry[] {
  return [
    ...pix.ledger.map(({ external_id }): Entry => ({ effect: 'money', reference: external_id, times: 1 })),
    ...twoStep.ledger.map(({ reference, charges }): Entry => ({ effect: 'money', reference, times: charges })),
    ...[...card.done.values()].map(({ reference }): Entry => ({ effect: 'hold', reference, times: 1 })),
    ...card.acts.ledger.map(({ payment }): Entry => ({
      effect: 'money',
      reference: payment.replace(/^tx-/, ''),
      times: 1,
    })),
  ];
}

export type Outside = Awaited<ReturnType<typeof outside>>;

interface Watch {
  readonly gate: Gate;
  readonly fire: (moment: Moment) => void;
  /** Called when the service has the merchant's answer to a callback. */
  readonly acknowledged: () => void;
}

/** The providers and the merchant: they live on when the service is killed. Each is reached through a gate. */
export async function outside({ gate, fire, acknowledged }: Watch) {
  const pix = await pixProvider();
  const twoStep = await twoStepProvider();
  const card = await anyMethodProvider();
  const shop = await receiver();
  const gates = {
    pix: await httpGate({ link: 'provider', target: pix.url, gate, fire }),
    twoStep: await httpGate({ link: 'provider', target: twoStep.url, gate, fire }),
    card: await httpGate({ link: 'provider', target: card.url, gate, fire }),
    shop: await httpGate({ link: 'merchant', target: shop.url, gate, fire, heard: acknowledged }),
  };
  return {
    pix,
    twoStep,
    card,
    shop,
    /** What the service is told to call. */
    addresses: {
      pixUrl: gates.pix.url,
      twoStepUrl: gates.twoStep.url,
      cardUrl: gates.card.url,
      callbackUrl: gates.shop.url,
    },
    async close() {
      for (const each of [...Object.values(gates), pix, twoStep, card, shop]) await each.close();
    },
  };
}
