import { bankPage } from './bank-page.ts';
import { Conflict } from './conflict.ts';
import type { SimulatorControl } from './simulator-control.ts';
import { STYLE } from './page-layout.ts';
import { paymentPage } from './payment-page.ts';
import type { OwnReply, OwnRequest } from './server.ts';

/** The payer's bank: all payments, or one that the payer was sent to. Plain forms, no script. */
export function page(simulator: SimulatorControl, { method, path, query, body }: OwnRequest): OwnReply | undefined {
  if (path === '/') {
    const payment = query.payment ?? simulator.arrive(query);
    // A payer may arrive with a form: 3-D Secure sends one.
    if (payment !== undefined && (method === 'GET' || method === 'POST')) return paymentPage(simulator, payment);
    if (method === 'GET') return bankPage(simulator, query.said);
  }
  if (method === 'GET' && path === '/style.css') return { status: 200, type: 'text/css; charset=utf-8', text: STYLE };
  if (method === 'GET' && path === '/favicon.ico') return { status: 204, type: 'image/x-icon', text: '' };
  if (method === 'POST' && (path === '/pay' || path === '/decline')) {
    const id = field(body, 'id');
    return back(() => submit(simulator, path, id), field(body, 'page') === 'payment' ? id : undefined);
  }
  if (method === 'POST' && (path === '/settle-modification' || path === '/decline-modification'))
    return back(() => end(simulator, path, field(body, 'id')));
  if (method === 'POST' && path === '/pay-code') return back(() => payCode(simulator, field(body, 'code')));
  return undefined;
}

function submit(simulator: SimulatorControl, path: string, id: string): string {
  const payment = path === '/pay' ? simulator.settle(id) : simulator.decline(id);
  return `${payment.amount} ${payment.currency} ${path === '/pay' ? 'paid' : 'declined'}.`;
}

function end(simulator: SimulatorControl, path: string, id: string): string {
  const settles = path === '/settle-modification';
  const { amount, currency, effect } = settles ? simulator.settleModification(id) : simulator.declineModification(id);
  return `${effect} of ${amount} ${currency} ${settles ? 'settled' : 'declined'}.`;
}

function payCode(simulator: SimulatorControl, code: string): string {
  const payment = simulator.byCode(code);
  return payment === undefined ? 'No open payment has this code.' : submit(simulator, '/pay', payment.id);
}

/** After a form the browser is sent back to where the form was, so that a reload pays nothing twice. */
function back(task: () => string, payment?: string): OwnReply {
  let said: string;
  try {
    said = task();
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    said = error.message;
  }
  // A payment's own page shows its state by itself.
  const location =
    payment === undefined ? `/?said=${encodeURIComponent(said)}` : `/?payment=${encodeURIComponent(payment)}`;
  return { status: 303, type: 'text/plain', text: '', headers: { location } };
}

function field(body: unknown, name: string): string {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === 'string' ? value : '';
}
