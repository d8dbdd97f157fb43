import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { PageModel, PageState } from '../../../src/page/index.ts';
import { pageModel } from './models.ts';

const file = readFileSync(new URL('../fixtures/xss-descriptions.json', import.meta.url), 'utf8');

/** Texts that want to become markup or script. */
export const payloads = z
  .array(z.object({ id: z.string(), text: z.string() }))
  .length(18)
  .parse(JSON.parse(file));

/** The page with this text in every place that a merchant, a payer or a provider can fill. */
export function hostile(state: PageState, text: string): PageModel {
  return pageModel(fill(state, text), { merchantName: text, orderNumber: text, description: text, test: true });
}

const field = (text: string) => ({
  name: `customer.${text}`,
  label: text,
  input: 'text',
  required: true,
  help: text,
  value: text,
  problem: text,
  autocomplete: text,
});
const fields = (text: string) => [field(text), { ...field(text), options: [{ value: text, label: text }] }];

function fill(state: PageState, text: string): PageState {
  const method = { key: text, title: text };
  switch (state.kind) {
    case 'choose':
      return { ...state, methods: [method], failed: { decline: { reason: text }, attemptsLeft: 1 } };
    case 'amount':
      return {
        ...state,
        method,
        field: field(text),
        failed: { decline: { reason: text }, attemptsLeft: 1 },
        methods: [method, { ...method, key: 'other' }],
      };
    case 'ask':
      return {
        ...state,
        method,
        fields: fields(text),
        failed: { decline: { reason: text }, attemptsLeft: 1 },
        methods: [method, { ...method, key: 'other', subtitle: text }],
      };
    case 'next-action':
      return { ...state, nextAction: { ...state.nextAction, step: text, error: text }, fields: fields(text) };
    case 'visit':
      return { ...state, nextAction: { ...state.nextAction, step: text, fields: { [text]: text } } };
    case 'declined':
      return { ...state, decline: { reason: text }, method: text, others: [method] };
    case 'expired':
      return { ...state, decline: { reason: text } };
    case 'success':
      return { ...state, receipt: { paidAt: '2026-03-04T12:00:00.000Z', method: text, brand: text, reference: text } };
    case 'error':
      return { ...state, others: [method] };
    case 'show':
      return { ...state, show: fillShow(state, text) };
    default:
      return state;
  }
}

function fillShow({ show }: Extract<PageState, { kind: 'show' }>, text: string) {
  const details = [{ label: text, value: text, copy: true }];
  switch (show.kind) {
    case 'qr':
      return { ...show, content: text };
    case 'payment-details':
      return { ...show, details };
    case 'voucher':
      return { ...show, reference: text, details };
    case 'confirm-on-device':
      return { ...show, message: text, number: text };
    case 'address':
      return { ...show, address: text, asset: text, network: text };
    default:
      return show;
  }
}
