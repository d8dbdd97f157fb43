import type { Method } from '@railyard/core';
import type { CardPart } from '@railyard/core/driver';
import type { SessionRequest } from '@railyard/core/protocol';
import { describeMethods, english, jsonSchemaOf, type Origin, type Registry } from '@railyard/core/registry';
import type { Credentials, Run, Transport } from '@railyard/runtime';
import type { Simulator } from '@railyard/simulator';
import { randomUUID } from 'node:crypto';
import type { Account } from '../connectors/accounts.ts';
import type { Found } from '../connectors/find-connectors.ts';
import { paymentRun, profileFor, SAMPLE_ID } from '../connectors/payment-run.ts';
import { registryOf } from '../connectors/registry-of.ts';
import { sampleDefaults, sampleSettings } from '../connectors/sample-settings.ts';
import { explainer } from '../output/explain-issue.ts';

/** The form as the page sends it: connector, method, and the session as it is filled in. */
export interface Filled {
  readonly connector: string;
  readonly method: string;
  readonly session: Readonly<Record<string, unknown>>;
  /** The values that the payer enters before, by path. */
  readonly payer: Readonly<Record<string, unknown>>;
}

/** A notification as it was received, and what the connector made of it. */
export interface Received {
  readonly at: string;
  readonly body: string;
  readonly read: unknown;
}

const TEST_CARD: Readonly<Partial<Record<CardPart, string>>> = {
  number: '4111111111111111',
  cvv: '123',
  'payee-number': '4111111111111111',
};

/** The connectors of a playground, each with an account at a simulated provider. */
export async function createPlay(found: Found, ownUrl: () => string) {
  const { kyTransport, memoryCredentials, receiveNotification } = await import('@railyard/runtime');
  const { NOTIFICATION_MODES } = await import('@railyard/simulator');
  const registry = registryOf(found);
  const simulator = await simulatorFor(found, ownUrl);
  const accounts = found.connectors.map((each): Account => {
    const url = each.simulation === undefined ? undefined : simulator.baseUrl(each.connector.id);
    return {
      ...each,
      id: each.connector.id,
      settings: sampleSettings(each.connector, url),
      defaults: sampleDefaults(each.connector),
    };
  });
  const transport = kyTransport();
  const received: Received[] = [];
  const host = { transport, credentials: memoryCredentials(Date.now), received };
  return {
    state: () => ({ notifications: NOTIFICATION_MODES, connectors: connectorsOf(found, registry) }),
    preview: (filled: Filled) => previewed(found, registry, accountOf(accounts, filled), filled, ownUrl()),
    send: (filled: Filled) => sent(found, registry, accountOf(accounts, filled), filled, ownUrl(), host),
    payments: () => ({ payments: simulator.payments().toReversed(), received: received.toReversed() }),
    act(payment: string, act: string, mode: string | undefined) {
      if (act === 'settle') return simulator.settle(payment);
      if (act === 'decline') return simulator.decline(payment);
      return simulator.notify(
        payment,
        NOTIFICATION_MODES.find((each) => each === mode),
      );
    },
    async notified(mid: string, body: string, headers: Readonly<Record<string, string>>) {
      const account = accounts.find(({ id }) => id === mid);
      if (account === undefined) return { status: 404, body: '' };
      // The simulator stands where a proxy would, and says itself whose certificate it shows.
      const raw = { url: `${ownUrl()}/notify/${mid}`, body, headers, proxied: true };
      const first = receiveNotification(account.connector, account.settings, raw, Date.now());
      const read = first.kind === 'refused' && first.ask ? await first.ask({ transport, key: randomUUID() }) : first;
      received.push({ at: new Date().toISOString(), body, read });
      return read.kind === 'events' ? read.acknowledge : { status: 401, body: read.detail };
    },
    async close() {
      await simulator.close();
      await transport.close();
    },
  };
}

export type Play = Awaited<ReturnType<typeof createPlay>>;

async function simulatorFor({ connectors }: Found, ownUrl: () => string): Promise<Simulator> {
  const { createSimulator } = await import('@railyard/simulator');
  return createSimulator({
    scenario: 'manual',
    connectors: connectors.flatMap(({ connector, simulation }) =>
      simulation === undefined
        ? []
        : [
            {
              connector,
              simulation,
              settings: sampleSettings(connector),
              notifyUrl: `${ownUrl()}/notify/${connector.id}`,
            },
          ],
    ),
  });
}

function accountOf(accounts: readonly Account[], { connector }: Filled): Account {
  const account = accounts.find(({ id }) => id === connector);
  if (account === undefined) throw new Error(`There is no connector "${connector}".`);
  return account;
}

/** The connectors and methods of the form. */
function connectorsOf({ connectors, methods }: Found, registry: Registry) {
  const described = new Map(describeMethods({ methods }).map((each) => [each.key, each]));
  return connectors.map(({ connector, simulation }) => ({
    id: connector.id,
    title: connector.title,
    simulated: simulation !== undefined,
    methods: connector.serves.map(({ method: { key, title } }) => ({
      key,
      title: english(title),
      currencies: described.get(key)?.currencies ?? [],
      operations: (described.get(key)?.operations ?? []).map(({ operation, needs }) => ({
        operation,
        needs: needs.map(({ name }) => name),
        schema: jsonSchemaOf(registry, key, operation),
      })),
    })),
  }));
}

type Prepared =
  | { readonly kind: 'ready'; readonly run: Run; readonly origins: Readonly<Record<string, Origin>> }
  | {
      readonly kind: 'wrong';
      readonly issues: readonly { readonly path: string; readonly message: string; readonly advice?: string }[];
    }
  | { readonly kind: 'missing'; readonly fields: readonly { readonly path: string; readonly label: string }[] };

async function prepared(
  found: Found,
  registry: Registry,
  account: Account,
  filled: Filled,
  url: string,
  id: string,
): Promise<Prepared> {
  const profile = profileFor(account, found.methods);
  const now = new Date().toISOString();
  const checked = registry.validate(filled.session, { today: now.slice(0, 10), profile });
  if (!checked.ok)
    return { kind: 'wrong', issues: checked.issues.map(explainer(found.methods, filled.session, profile)) };
  const method = methodOf(account, filled.method);
  const run = await paymentRun(registry, account, {
    session: checked.session satisfies SessionRequest,
    key: filled.method,
    method,
    profile,
    payer: filled.payer,
    urls: { notify: `${url}/notify/${account.id}`, return: `${url}/return` },
    now,
    id,
  });
  if (run.kind === 'missing')
    return { kind: 'missing', fields: run.fields.map(({ path, info }) => ({ path, label: english(info.label) })) };
  if (run.kind === 'invalid') return { kind: 'wrong', issues: run.issues };
  return { kind: 'ready', run: run.run, origins: run.origins };
}

function methodOf({ connector }: Account, key: string): Method {
  const served = connector.serves.find(({ method }) => method.key === key);
  if (served === undefined) throw new Error(`${connector.id} does not serve ${key}.`);
  return served.method;
}

async function previewed(found: Found, registry: Registry, account: Account, filled: Filled, url: string) {
  const made = await prepared(found, registry, account, filled, url, SAMPLE_ID);
  if (made.kind !== 'ready') return made;
  const { preview } = await import('@railyard/runtime');
  const { run, origins } = made;
  return { kind: 'preview', baseUrl: account.connector.baseUrl(account.settings), ...preview(run, { origins }) };
}

interface Sending {
  readonly transport: Transport;
  readonly credentials: Credentials;
}

/** Runs the flow against the simulated provider. */
async function sent(found: Found, registry: Registry, account: Account, filled: Filled, url: string, host: Sending) {
  if (account.simulation === undefined)
    return {
      kind: 'wrong',
      issues: [{ path: account.id, message: 'It has no simulation: export one beside the connector.' }],
    };
  const made = await prepared(found, registry, account, filled, url, randomUUID());
  if (made.kind !== 'ready') return made;
  const { drive, memoryJournal } = await import('@railyard/runtime');
  const result = await drive(made.run, {
    journal: memoryJournal(),
    transport: host.transport,
    credentials: host.credentials,
    openCard: ({ part }) => TEST_CARD[part],
  });
  return { kind: 'sent', result: result.kind === 'failed' ? { kind: 'failed', error: result.error.message } : result };
}
