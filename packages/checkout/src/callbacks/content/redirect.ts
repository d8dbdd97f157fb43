import type { Show } from '@railyard/core';
import type { NextAction } from '@railyard/runtime';
import type { AcceptedCommand } from '../../sessions/stored-request.ts';

/** Where the merchant sends the payer, as answers and callbacks of commands name it (reference: SALE answers). */
export interface Redirect {
  /** Absent where the merchant itself shows what is in the parameters. */
  readonly redirect_url?: string;
  readonly redirect_method?: 'GET' | 'POST';
  /** Where a crypto payment is sent to. */
  readonly crypto_address?: string;
  readonly crypto_network?: string;
  /** Absent where there are none. */
  readonly redirect_params?: Readonly<Record<string, string>>;
}

/** A redirect, with the status of a transaction that waits for it. */
export interface RedirectFacts {
  readonly result: 'REDIRECT' | 'INIT';
  readonly status: '3DS' | 'REDIRECT' | 'PENDING';
  readonly redirect: Redirect;
}

/**
 * Where the payer of a command is sent: to what the flow asks for, or to what it shows. The payer of a card who is sent by a form goes through
 * 3-D Secure, which differs from other pages by that alone (decision 0075).
 */
export function redirectFacts(
  { protocol }: Pick<AcceptedCommand, 'protocol'>,
  nextAction: NextAction | undefined,
  show: Show | undefined,
): RedirectFacts | undefined {
  if (nextAction?.kind === 'visit') {
    const { url, method, fields } = nextAction;
    const hasFields = Object.keys(fields).length > 0;
    return {
      result: 'REDIRECT',
      status: protocol === 'card' && method === 'POST' ? '3DS' : 'REDIRECT',
      redirect: { redirect_url: url, redirect_method: method, ...(hasFields && { redirect_params: fields }) },
    };
  }
  if (show?.kind === 'redirect')
    return { result: 'REDIRECT', status: 'REDIRECT', redirect: { redirect_url: show.url, redirect_method: 'GET' } };
  // The merchant draws the code (protocol: QR method on S2S APM).
  if (show?.kind === 'qr')
    return {
      result: 'REDIRECT',
      status: 'REDIRECT',
      redirect: { redirect_params: { qr_code: Buffer.from(show.content).toString('base64') } },
    };
  // The payer sends the money there by themselves (reference: S2S APM, SALE, crypto init).
  if (show?.kind === 'address') {
    const { address: crypto_address, network: crypto_network } = show;
    const redirect = { crypto_address, ...(crypto_network !== undefined && { crypto_network }) };
    return { result: 'INIT', status: 'PENDING', redirect };
  }
  return undefined;
}
