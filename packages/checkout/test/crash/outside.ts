import { bankCollectionConnector, bankGatewayConnector } from '@railyard/connector-bank-transfer';
import { bankCollectionSimulation, bankGatewaySimulation } from '@railyard/connector-bank-transfer/simulation';
import { acquirerConnector } from '@railyard/connector-card';
import { acquirerSimulation } from '@railyard/connector-card/simulation';
import { referenceVoucherConnector } from '@railyard/connector-voucher';
import { referenceVoucherSimulation } from '@railyard/connector-voucher/simulation';
import { signedDepositConnector } from '@railyard/connector-wallet';
import { signedDepositSimulation } from '@railyard/connector-wallet/simulation';
import type { Connector } from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';
import { createSimulator, type LedgerEntry, type SimulatedConnector, type Simulator } from '@railyard/simulator';
import { depositSettings, provider as walletProvider } from '../../../connector-wallet/test/support/keys.ts';
import { cryptoProvider } from '../support/crypto-provider.ts';
import { pixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import {
  acquirerCredentials,
  beneficiaryCredentials,
  collectionCredentials,
  VOUCHER_MID,
  voucherCredentials,
} from './config.ts';
import type { Gate, Moment } from './gate.ts';
import { hostileProvider } from './hostile-provider.ts';
import { httpGate } from './http-gate.ts';
import { twoStepProvider } from './two-step-provider.ts';

/** What a provider did: moved money, held it, gave it back, or opened something that the payer pays elsewhere. */
export type Effect = 'money' | 'hold' | 'refund' | 'opened';

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

/** Where the payer pays what was opened: of two of one payment they may pay either. */
const OPENS: ReadonlySet<string> = new Set([referenceVoucherConnector.id, signedDepositConnector.id]);

const effectOf = ({ effect, connector }: LedgerEntry): Effect | undefined =>
  effect === 'charge' && OPENS.has(connector) ? 'opened' : EFFECTS[effect];

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
    ...acquirer.ledger().flatMap((entry): Entry[] => {
      const effect = effectOf(entry);
      return effect === undefined ? [] : [{ effect, reference: entry.reference, times: 1 }];
    }),
  ];
}

/** The simulator has no use for the address under which it is reached. */
const nowhere = 'http://127.0.0.1:1';

/** A provider that does again what is asked for again, as if it had never seen the reference: such a request is looked up, never sent twice. */
function forgetful(connector: Connector, simulation: Simulation): Simulation {
  const isLookedUp = (name: string) =>
    connector.endpoints.some((each) => each.name === name && each.repeat === 'by-reference');
  const endpoints = Object.fromEntries(
    Object.entries(simulation.endpoints).map(([name, { request, ...rest }]) => {
      const { key, ...others } = request;
      return [name, { ...rest, request: isLookedUp(name) ? others : { ...others, ...(key !== undefined && { key }) } }];
    }),
  );
  return { ...simulation, endpoints };
}

/** An acquirer that takes money for each request of a card that arrives. */
const acquirer = {
  connector: acquirerConnector,
  simulation: forgetful(acquirerConnector, acquirerSimulation),
  settings: { base_url: nowhere, ...acquirerCredentials },
};

/** A provider of debits that has the money once it is asked for it. */
const collection = {
  connector: bankCollectionConnector,
  simulation: bankCollectionSimulation,
  settings: bankCollectionConnector.settings.parse({ base_url: nowhere, ...collectionCredentials }),
};

/** A bank that moves money with the last code, and with nothing before it. */
function beneficiary(): SimulatedConnector {
  const { endpoints, words } = bankGatewaySimulation;
  const { 'confirm-code': confirm, ...others } = endpoints;
  if (confirm === undefined) throw new Error('The bank takes no code.');
  const { cases = [], ...last } = confirm;
  const key = 'headers.x-request-key';
  return {
    connector: bankGatewayConnector,
    simulation: {
      ...bankGatewaySimulation,
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

/** A provider of vouchers that makes another one for each request of one. @param serviceUrl where it notifies */
function vouchers(serviceUrl: string): SimulatedConnector {
  const simulation = forgetful(referenceVoucherConnector, referenceVoucherSimulation);
  const { authre: token, ...others } = simulation.endpoints;
  if (token === undefined) throw new Error('The provider gives no token.');
  return {
    connector: referenceVoucherConnector,
    simulation: {
      ...simulation,
      endpoints: { ...others, authre: { ...token, answers: () => ({ expires_in: 60 }) } },
    },
    settings: { base_url: nowhere, ...voucherCredentials },
    notifyUrl: `${serviceUrl}/notify/${VOUCHER_MID}`,
  };
}

/** A provider of wallets that opens another deposit for each request of one. */
const deposits = {
  connector: signedDepositConnector,
  simulation: forgetful(signedDepositConnector, signedDepositSimulation),
  settings: { base_url: nowhere, ...depositSettings },
  privateKey: walletProvider.privateKey,
};

/** The acquirer, the banks, and where payers pay elsewhere. */
async function simulated(serviceUrl: string): Promise<Simulator> {
  const simulator = await createSimulator({
    connectors: [acquirer, collection, beneficiary(), vouchers(serviceUrl), deposits],
    scenario: 'settled',
    // The payer and the service itself bring everything on its way; news that comes by chance would be a point of one time only.
    notifications: 'none',
    times: { retryMs: [] },
  });
  for (const connector of OPENS) simulator.setRule({ connector, scenario: 'manual' });
  return simulator;
}

export type Outside = Awaited<ReturnType<typeof outside>>;

interface Watch {
  readonly gate: Gate;
  readonly fire: (moment: Moment) => void;
  /** Called when the service connects to the merchant. @returns called when it has the answer to a callback, or lost the connection instead */
  readonly connected: () => () => void;
  /** Where the service will listen. */
  readonly serviceUrl: string;
}

/** The providers and the merchant: they live on when the service is killed. Each is reached through a gate. */
export async function outside({ gate, fire, connected, serviceUrl }: Watch) {
  const pix = await pixProvider();
  const twoStep = await twoStepProvider();
  const bank = await simulated(serviceUrl);
  const crypto = await cryptoProvider();
  const hostile = await hostileProvider();
  const shop = await receiver();
  const gates = {
    pix: await httpGate({ link: 'provider', target: pix.url, gate, fire }),
    twoStep: await httpGate({ link: 'provider', target: twoStep.url, gate, fire }),
    crypto: await httpGate({ link: 'provider', target: crypto.url, gate, fire }),
    hostile: await httpGate({ link: 'provider', target: hostile.url, gate, fire }),
    acquirer: await httpGate({ link: 'provider', target: bank.url, gate, fire }),
    shop: await httpGate({ link: 'merchant', target: shop.url, gate, fire, connected }),
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
    /** What the service is told of its accounts. */
    accounts: {
      depositKeys: {
        private_key: depositSettings.private_key,
        provider_certificate: depositSettings.provider_certificate,
      },
    },
    async close() {
      for (const each of [...Object.values(gates), pix, twoStep, crypto, hostile, bank, shop]) await each.close();
    },
  };
}
