const OURS = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';
const PSP = '37c34d8c-2649-448e-864b-060d5d93e4c4';

const nok = (value: number) => ({ currency: 'NOK', value });

/** The standard answer of the access token API. */
export const token = {
  token_type: 'Bearer',
  expires_in: '3599',
  ext_expires_in: '3599',
  resource: '00000002-0000-0000-c000-000000000000',
  access_token: 'example-token',
};

export const created = { redirectUrl: 'https://landing.vipps.no?token=abc123', reference: OURS };

/** The description does not require the address. */
export const addressless = { reference: OURS };

type Moved = Partial<Record<'authorized' | 'cancelled' | 'captured' | 'refunded', number>>;

/** A payment over 25 kroner; of these so many øre were authorised, captured and so on. */
const standing = (state: string, { authorized = 0, cancelled = 0, captured = 0, refunded = 0 }: Moved = {}) => ({
  amount: nok(2500),
  state,
  aggregate: {
    authorizedAmount: nok(authorized),
    cancelledAmount: nok(cancelled),
    capturedAmount: nok(captured),
    refundedAmount: nok(refunded),
  },
  pspReference: PSP,
  reference: OURS,
});

export const payment = (state: string, moved?: Moved) => ({
  ...standing(state, moved),
  paymentMethod: { type: 'WALLET' },
  profile: {},
  redirectUrl: created.redirectUrl,
});

export const open = payment('CREATED');
export const approved = payment('AUTHORIZED', { authorized: 2500 });
export const captured = standing('AUTHORIZED', { authorized: 2500, captured: 2500 });
export const reserved = standing('AUTHORIZED', { authorized: 2500 });
export const refunded = standing('AUTHORIZED', { authorized: 2500, captured: 2500, refunded: 2500 });
export const terminated = standing('TERMINATED', { cancelled: 2500 });
export const released = standing('AUTHORIZED', { authorized: 2500, cancelled: 2500 });

export interface SampleEvent {
  readonly name: string;
  readonly pspReference?: string;
  readonly reference?: string;
  readonly idempotencyKey?: string;
  readonly amount?: { readonly currency: string; readonly value: unknown };
  readonly timestamp?: string;
  readonly success?: boolean;
}

/** The description calls the name of an event `paymentAction` among the fields that it requires, and nowhere else. */
export const event = (more: SampleEvent) => ({
  reference: OURS,
  pspReference: '2018200034',
  amount: nok(2500),
  timestamp: '2026-11-21T12:00:00.748Z',
  success: true,
  ...more,
});

export const events = [
  event({ name: 'CREATED', pspReference: PSP, idempotencyKey: '19986263-dedf-4b8e-a424-8d042eee4013' }),
  event({ name: 'AUTHORIZED', pspReference: '1304787731' }),
  event({ name: 'CAPTURED', idempotencyKey: OURS }),
  event({ name: 'REFUNDED', idempotencyKey: '7d2e9f0b-4c8a-4d7e-9a3b-2c4d6e8f0a12' }),
];

/** A notification is an event, and names the sales unit. */
export const notification = (more: SampleEvent) => ({ msn: '123456', ...event(more) });

export const problem = (status: number, title: string, code?: string) => ({
  type: `https://httpstatuses.io/${status}`,
  title,
  detail: 'The request was not carried out.',
  status,
  traceId: '00-813b63975adcaaeef2b0ec7c103c40e3-706492e906541d31-01',
  ...(code !== undefined && { extraDetails: [{ name: 'ErrorCode', reason: code }] }),
});
export const refused = problem(400, 'Amount too small', '6010');
export const used = problem(400, 'Capture idempotency conflict', '4010');
export const absent = problem(404, 'Reference not found', '5090');
