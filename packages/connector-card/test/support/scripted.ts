import type { Connector } from '@railyard/core';
import {
  drive,
  type FlowName,
  type Host,
  type HttpRequest,
  memoryCredentials,
  memoryJournal,
  type Run,
  type Signal,
} from '@railyard/runtime';
import { card } from '../../src/index.ts';

export const NOW = '2026-11-21T12:00:00.000Z';
export const OURS = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';
export const CHANGE = '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01';

/** What a provider answers, in order. */
export type Script = readonly (readonly [status: number, body: unknown])[];

const PARTS: Readonly<Record<string, string>> = {
  number: '4111111111111111',
  cvv: '737',
  cryptogram: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
};

/**
 * Drives one flow of a connector against a script.
 *
 * @param back what the payer brings back from every visit
 */
export const scripted = (
  connector: Connector,
  settings: unknown,
  back: Extract<Signal, { readonly values: unknown }>['values'],
) =>
  async function exchange(flow: FlowName, context: object, script: Script, method = 'card') {
    const asked: HttpRequest[] = [];
    const replies = [...script];
    const host: Host = {
      journal: memoryJournal(),
      credentials: memoryCredentials(() => Date.parse(NOW)),
      openCard: ({ part }) => PARTS[String(part)],
      transport: {
        async send(request) {
          asked.push(request);
          const [status, body] = replies.shift() ?? [500, {}];
          return { kind: 'reply', status, headers: {}, body: JSON.stringify(body) };
        },
      },
    };
    const urls = { notify: 'https://pay.example/notify/mid-1', return: 'https://pay.example/back' };
    const served = connector.serves.find((each) => each.method.key === method);
    const run: Run = {
      id: 'run-1',
      connector,
      method: served?.method ?? card,
      flow,
      settings,
      mid: 'mid-1',
      context: { settings, now: NOW, urls, ...context },
    };
    let result = await drive(run, host);
    if (result.kind === 'suspended') result = await drive(run, host, { step: result.nextAction.step, values: back });
    if (result.kind === 'failed') throw result.error;
    const outcome = result.kind === 'done' ? result.outcome : undefined;
    return { outcome, asked, ...(result.kind === 'reported' && { report: result.report }) };
  };
