import { bankBeneficiaryConnector, bankCollectionConnector } from '@railyard/connector-bank-transfer';
import { bankBeneficiarySimulation, bankCollectionSimulation } from '@railyard/connector-bank-transfer/simulation';
import { acquirerConnector } from '@railyard/connector-card';
import { acquirerSimulation } from '@railyard/connector-card/simulation';
import { createSimulator, type LedgerEntry, type SimulatedConnector, type SimulatorOptions } from '@railyard/simulator';
import { cryptoProvider } from '../support/crypto-provider.ts';
import { pixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { acquirerCredentials, beneficiaryCredentials, collectionCredentials } from './config.ts';
import type { Gate, Moment } from './gate.ts';
import { hostileProvider } from './hostile-provider.ts';
import { httpGate } from './http-gate.ts';
import { twoStepProvider } from './two-step-provider.ts';

/** What a provider did: moved money, held it, or gave it back. */
export type Effect = 'money' | 'hold' | 'refund';

interface Entry {
  readonly effect: Effect;
  /** Ours. */
  readonly reference: string;
  readonly times: number;
}

/** What an entry of the acquirer's ledger is, where it is an effect; asking alone moves nothing. */
const EFFECTS: Readonly<Partial<Record<LedgerEntry['effect'], Effect>>> = {
  settled: 'money',
  authorize: 'hold',
  refund: 'refund',
};

/** The providers' ledgers. */
export function ledgerOf({ pix, twoStep, acquirer, crypto, hostile }: Outside): readonly Entry[] {
  return [
    ...pix.ledger.map(({ external_id }): Entry => ({ effect: 'money', reference: external_id, times: 1 })),
    ...twoStep.ledger.map(({ reference, charges }): Entry => ({ effect: 'money', reference, times: charges })),
    // An address for each payment: what is paid to a second one would be looked for nowhere.
    ...crypto.ledger.map(({ sent }): Entry => ({ effect: 'money', reference: String(sent.reference), times: 1 })),
    ...hostile.pays.map(({ reference, times }): Entry => ({ effect: 'money', reference, times })),
    ...hostile.holds.map(({ reference, times }): Entry => ({ effect: 'hold', reference, times })),
    ...hostile.captures.map(({ payment, times }): Entry => ({ effect: 'money', reference: payment, times })),
    ...hostile.backs.map(({ payment, times }): Entry => ({ effect: 'refund', reference: payment, times })),
    ...acquirer.ledger().flatMap(({ effect: word, reference }): Entry[] => {
      const effect = EFFECTS[word];
      return effect === undefined ? [] : [{ effect, reference, times: 1 }];
    }),
  ];
}

/** The simulator has no use for the address under which it is reached. */
const nowhere = 'http://127.0.0.1:1';

/**
 * An acquirer that takes money for each request of a card that arrives, as if it had never seen the reference: such a request is looked up,
 * never sent twice.
 */
function acquirer(): SimulatedConnector {
  const isLookedUp = (name: string) =>
    acquirerConnector.endpoints.some((each) => each.name === name && each.repeat === 'by-reference');
  const endpoints = Object.fromEntries(
    Object.entries(acquirerSimulation.endpoints).map(([name, { request, ...rest }]) => {
      const { key, ...others } = request;
      return [name, { ...rest, request: isLookedUp(name) ? others : { ...others, ...(key !== undefined && { key }) } }];
    }),
  );
  return {
    connector: acquirerConnector,
    simulation: { ...acquirerSimulation, endpoints },
    settings: { base_url: nowhere, ...acquirerCredentials },
  };
}

/** A provider of debits that has the money once it is asked for it. */
const collection = {
  connector: bankCollectionConnector,
  simulation: bankCollectionSimulation,
  settings: bankCollectionConnector.settings.parse({ base_url: nowhere, ...collectionCredentials }),
};

/** A bank that moves money with the last code, and with nothing before it. */
function beneficiary(): SimulatedConnector {
  const { endpoints, words } = bankBeneficiarySimulation;
  const { 'confirm-code': confirm, ...others } = endpoints;
  if (confirm === undefined) throw new Error('The bank takes no code.');
  const { cases = [], ...last } = confirm;
  const key = 'headers.idempotency-key';
  return {
    connector: bankBeneficiaryConnector,
    simulation: {
      ...bankBeneficiarySimulation,
      endpoints: {
        ...others,
        'confirm-code': {
          ...last,
          effect: 'complete',
          bringsCode: true,
          request: { ...last.request, key },
          cases: cases.map((each) => ({ ...each, effect: 'read', request: last.request })),
        },
      },
      words: { ...words, challenged: words.pending },
      course: () => ({ starts: 'challenged', finishedBy: 'merchant' }),
    },
    settings: { base_url: nowhere, ...beneficiaryCredentials },
  };
}

/** The acquirer and the banks. */
const simulated = (): SimulatorOptions => ({
  connectors: [acquirer(), collection, beneficiary()],
  scenario: 'settled',
  // The payer and the service itself bring everything on its way; news that comes by chance would be a point of one time only.
  notifications: 'none',
});

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
  const bank = await createSimulator(simulated());
  const crypto = await cryptoProvider();
  const hostile = await hostileProvider();
  const shop = await receiver();
  const gates = {
    pix: await httpGate({ link: 'provider', target: pix.url, gate, fire }),
    twoStep: await httpGate({ link: 'provider', target: twoStep.url, gate, fire }),
    crypto: await httpGate({ link: 'provider', target: crypto.url, gate, fire }),
    hostile: await httpGate({ link: 'provider', target: hostile.url, gate, fire }),
    acquirer: await httpGate({ link: 'provider', target: bank.url, gate, fire }),
    shop: await httpGate({ link: 'merchant', target: shop.url, gate, fire, heard: acknowledged }),
  };
  return {
    pix,
    twoStep,
    crypto,
    hostile,
    acquirer: bank,
    shop,
    /** What the service is told to call. */
    addresses: {
      pixUrl: gates.pix.url,
      twoStepUrl: gates.twoStep.url,
      cryptoUrl: gates.crypto.url,
      hostileUrl: gates.hostile.url,
      acquirerUrl: `${gates.acquirer.url}/${acquirerConnector.id}`,
      banksUrl: gates.acquirer.url,
      callbackUrl: gates.shop.url,
    },
    async close() {
      for (const each of [...Object.values(gates), pix, twoStep, crypto, hostile, bank, shop]) await each.close();
    },
  };
}
