import type { Connector, Method } from '@railyard/core';
import { resolveMethod } from '@railyard/core/registry';
import {
  drive,
  type FlowName,
  type Host,
  type HttpRequest,
  type HttpResult,
  memoryCredentials,
  memoryJournal,
  paymentInput,
  type Run,
} from '@railyard/runtime';
import { registry, sessionOf, today } from './sessions.ts';

export const NOW = '2026-11-21T12:00:00.000Z';
export const OURS = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';
const URLS = { notify: 'https://pay.example/notify/mid-1', return: 'https://pay.example/back' };

/** What a provider answers, in order. */
export type Script = readonly (readonly [status: number, body: unknown] | 'lost')[];

interface Made {
  readonly connector: Connector;
  readonly method: Method;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly flow: FlowName;
  readonly payment: object;
  /** Of a refund: its id and amounts. Of its lookup: the modification. */
  readonly about?: object;
}

export function runOf({ connector, method, settings, flow, payment, about }: Made, id = 'run-1'): Run {
  const parsed = connector.settings.parse({ base_url: 'https://api.example', ...settings });
  const context = { payment, settings: parsed, now: NOW, urls: URLS, ...about };
  return { id, connector, method, flow, settings: parsed, mid: 'mid-1', context };
}

/** The payment of a session, with its parameters resolved. */
export function paymentOf(
  key: string,
  parameters: object,
  more: object = {},
  mid: Readonly<Record<string, unknown>> = {},
) {
  const validated = registry.validate(sessionOf(key, { ...parameters }, more), {
    today,
    profile: { methods: { [key]: { method: key, supplied: Object.keys(mid) } } },
  });
  if (!validated.ok) throw new Error(JSON.stringify(validated.issues));
  const resolved = resolveMethod(registry, validated.session, key, { mid });
  if (resolved.kind !== 'complete') throw new Error(JSON.stringify(resolved));
  return paymentInput({
    session: validated.session,
    resolved: resolved.value,
    id: 'pay-1',
    merchantReference: OURS,
    test: true,
  });
}

/** A payment as actions see it. */
export function knownPayment(key: string, providerReference: string | undefined, parameters: object = {}) {
  return {
    ...paymentOf(key, parameters),
    connectorState: {},
    ...(providerReference !== undefined && { providerReference }),
  };
}

/** A provider in memory: it answers by its script and remembers what it was asked. */
export function provider(script: Script) {
  const asked: HttpRequest[] = [];
  let at = 0;
  const host: Host = {
    journal: memoryJournal(),
    credentials: memoryCredentials(() => Date.parse(NOW)),
    transport: {
      async send(request): Promise<HttpResult> {
        asked.push(request);
        const next = script[at];
        at += 1;
        if (next === undefined) throw new Error(`The provider was asked ${at} times.`);
        if (next === 'lost') return { kind: 'lost', why: 'No complete reply.' };
        const [status, body] = next;
        return { kind: 'reply', status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) };
      },
    },
  };
  return {
    asked,
    /** Method, path and body of what was asked. */
    lines: () =>
      asked.map(
        ({ method, url, body }) =>
          `${method} ${url.replace('https://api.example', '')}${body === undefined ? '' : ` ${body}`}`,
      ),
    drive: (run: Run) => drive(run, host),
  };
}

/** Drives one run against a script. */
export async function exchange(made: Made, script: Script) {
  const double = provider(script);
  const result = await double.drive(runOf(made));
  return {
    result,
    outcome: result.kind === 'done' ? result.outcome : undefined,
    report: result.kind === 'reported' ? result.report : undefined,
    asked: double.asked,
    lines: double.lines(),
  };
}
