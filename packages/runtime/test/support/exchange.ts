import type { Connector, Outcome } from '@railyard/core';
import { type Registry, resolveMethod } from '@railyard/core/registry';
import {
  type Signal,
  type CallLog,
  drive,
  type DriveResult,
  type FlowName,
  type Host,
  type HttpRequest,
  type HttpResult,
  memoryCredentials,
  memoryJournal,
  paymentInput,
  type Run,
} from '../../src/index.ts';

export const NOW = '2026-11-21T12:00:00.000Z';
export const OURS = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';

/** What a provider answers, in order. */
export type Script = readonly (readonly [status: number, body: unknown] | 'lost')[];

interface Made {
  readonly connector: Connector;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly flow: FlowName;
  readonly payment: object;
  readonly key: string;
  /** Of a refund: its id and amounts. Of its lookup: the modification. */
  readonly about?: object;
}

/** Makes payments of a connector's sessions. @param today the day in UTC on which they are checked */
export function paymentsOf(registry: Registry, today: string) {
  /** The payment of a session whose payer gave all that was asked. */
  function paymentOf(session: unknown, key: string, reference: string = OURS) {
    const validated = registry.validate(session, { today });
    if (!validated.ok) throw new Error(JSON.stringify(validated.issues));
    const resolved = resolveMethod(registry, validated.session, key);
    if (resolved.kind !== 'complete') throw new Error(JSON.stringify(resolved));
    return paymentInput({
      session: validated.session,
      resolved: resolved.value,
      id: 'pay-1',
      merchantReference: reference,
      test: true,
    });
  }
  /** A payment as a lookup sees it. */
  const lookedUp = (session: unknown, key: string, providerReference?: string) => ({
    ...paymentOf(session, key),
    connectorState: {},
    ...(providerReference !== undefined && { providerReference }),
  });
  return { paymentOf, lookedUp };
}

/** One run against a provider that answers by its script and remembers what it was asked. */
export function exchange({ connector, settings, flow, payment, key, about }: Made, script: Script) {
  const asked: HttpRequest[] = [];
  const log: CallLog[] = [];
  const journal = memoryJournal();
  const host: Host = {
    journal,
    log: (line) => log.push(line),
    credentials: memoryCredentials(() => Date.parse(NOW)),
    now: () => Date.parse(NOW),
    transport: {
      async send(request): Promise<HttpResult> {
        const next = script[asked.length];
        asked.push(request);
        if (next === undefined) throw new Error(`The provider was asked ${asked.length} times.`);
        if (next === 'lost') return { kind: 'lost', why: 'No complete reply.' };
        const [status, body] = next;
        return { kind: 'reply', status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) };
      },
    },
  };
  const method = connector.serves.find((served) => served.method.key === key)?.method;
  if (method === undefined) throw new Error(`${connector.id} does not serve ${key}.`);
  const parsed = connector.settings.parse({ base_url: 'https://api.example', ...settings });
  const urls = { notify: 'https://pay.example/notify/mid-1', return: 'https://pay.example/back' };
  const context = { payment, settings: parsed, now: NOW, urls, ...about };
  const run: Run = { id: 'run-1', connector, method, flow, settings: parsed, mid: 'mid-1', context };
  return {
    asked,
    /** What the calls leave behind: lines of the log, and the journal. */
    left: () => JSON.stringify(log) + journal.text(),
    body: (at: number): unknown => JSON.parse(asked[at]?.body ?? 'null'),
    lines: () => asked.map(({ method: verb, url }) => `${verb} ${url.replace('https://api.example', '')}`),
    drive: (answer?: Signal) => drive(run, host, answer),
  };
}

export function outcomeOf(result: DriveResult): Outcome {
  if (result.kind !== 'done') throw new Error(JSON.stringify(result));
  return result.outcome;
}
