import { createServer } from 'node:http';
import type { Operation, ProviderEvent } from '@railyard/core';
import { parseSession } from '@railyard/core/protocol';
import { createRegistry, resolveMethod } from '@railyard/core/registry';
import { instantConnector, pix } from '@railyard/connector-pix';
import { instantSimulation } from '@railyard/connector-pix/simulation';
import {
  drive,
  type DriveResult,
  type FlowName,
  type Host,
  kyTransport,
  memoryCredentials,
  memoryJournal,
  paymentInput,
  receiveNotification,
  type Run,
} from '@railyard/runtime';
import { expect, onTestFinished } from 'vitest';
import { createSimulator, manualTime, type Simulator, type SimulatorOptions } from '../../src/index.ts';

export const START = Date.parse('2026-11-21T12:00:00Z');
const registry = createRegistry([pix]);

/** A notification as the merchant's side took it. */
export interface Taken {
  readonly kind: 'events' | 'refused';
  readonly why?: string;
  readonly events: readonly ProviderEvent[];
}

/** A simulator, a receiver of its notifications, and a runtime that talks to it over HTTP. */
export async function rig(options: Partial<SimulatorOptions> = {}) {
  const time = manualTime(START);
  const settings = {
    base_url: 'http://127.0.0.1:1',
    api_key: 'key',
    webhook_secret: 'secret',
    cnpj_numeric_only: false,
  };
  const simulator = await createSimulator({
    connectors: [{ connector: instantConnector, simulation: instantSimulation, settings }],
    clock: time.clock,
    scheduler: time.scheduler,
    ...options,
  });
  const receiver = await receive(settings, time.clock);
  const transport = kyTransport();
  onTestFinished(async () => {
    await Promise.all([simulator.close(), transport.close(), receiver.close()]);
  });
  const host: Host = { journal: memoryJournal(), transport, credentials: memoryCredentials(time.clock) };
  const base = { ...settings, base_url: simulator.baseUrl('pix-instant') };

  function run(id: string, flow: FlowName, description = 'Two books', extra: object = {}): Run {
    return {
      id,
      connector: instantConnector,
      method: pix,
      flow,
      settings: base,
      mid: 'mid-1',
      context: {
        payment: { ...payment(id, flow === 'credit' ? 'credit' : 'purchase', description), ...extra },
        settings: base,
        now: new Date(START).toISOString(),
        urls: { notify: receiver.url, return: 'https://pay.example/back' },
      },
    };
  }
  return {
    simulator,
    time,
    receiver,
    run,
    drive: (made: Run): Promise<DriveResult> => drive(made, host),
    purchase: (id: string, description?: string) => drive(run(id, 'purchase', description), host),
    /** Drives against a provider that stays silent, and breaks the connection once it waits. */
    async inVain(made: Run): Promise<DriveResult> {
      let over = false;
      const result = drive(made, host).finally(() => {
        over = true;
      });
      // A request that was hung up on before may still be counted, so one look is not enough.
      const hungUp = () => {
        if (simulator.waiting() > 0) simulator.hangUp();
        return over;
      };
      await expect.poll(hungUp).toBe(true);
      return result;
    },
  };
}

function payment(reference: string, operation: Operation, description: string) {
  const parsed = parseSession(
    {
      merchant_key: '11111111-2222-4333-8444-555555555555',
      operation,
      methods: ['pix'],
      order: { number: 'order-1', amount: '10.00', currency: 'BRL', description },
      success_url: 'https://shop.example/done',
      cancel_url: 'https://shop.example/cancel',
      customer: { name: 'Maria Silva', email: 'maria@example.com' },
      payee: { name: 'Maria Silva' },
      parameters: { pix: operation === 'credit' ? { key: 'maria@example.com' } : {} },
      hash: 'a'.repeat(40),
    },
    { today: '2026-11-21' },
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const resolved = resolveMethod(registry, parsed.session, 'pix', {
    mid: { branch_identifier: '0001', source_account_number: '123456' },
  });
  if (resolved.kind !== 'complete') throw new Error(JSON.stringify(resolved));
  return paymentInput({
    session: parsed.session,
    resolved: resolved.value,
    id: reference,
    merchantReference: reference,
    test: true,
  });
}

/** Takes notifications as a checkout does; `down` answers 503 meanwhile. */
async function receive(settings: unknown, clock: () => number) {
  const taken: Taken[] = [];
  const state = { down: false };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      if (state.down) return void response.writeHead(503).end();
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]),
      );
      const result = receiveNotification(instantConnector, settings, { body, headers }, clock());
      taken.push(
        result.kind === 'events'
          ? { kind: 'events', events: result.events }
          : { kind: 'refused', why: result.why, events: [] },
      );
      response.writeHead(result.kind === 'events' ? result.acknowledge.status : 401).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/notify`,
    taken,
    state,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** The ledger as `effect amount`, in order. */
export function books(simulator: Simulator): string[] {
  return simulator.ledger().map(({ effect, amount, currency }) => `${effect} ${amount} ${currency}`);
}
