/** Which way money goes: to the merchant, away from the merchant, back to the payer who paid, or nowhere. */
export type Direction = 'in' | 'out' | 'back' | 'read';

/**
 * Everything that a merchant can ask for, and which way money goes then: sessions by their operation, the other routes by their path below
 * `/api/v1`, commands by their action. Those marked `out` need a request signature and a merchant who pays out.
 */
export const DIRECTIONS = {
  purchase: 'in',
  debit: 'in',
  credit: 'out',
  // The payer pays, and a payee is paid out to.
  transfer: 'out',
  '/payment/status': 'read',
  '/payment/capture': 'in',
  '/payment/recurring': 'in',
  '/payment/retry': 'in',
  '/payment/refund': 'back',
  '/payment/void': 'back',
  '/payment/card/credit': 'out',
  // Schedules charge by it.
  '/test/clock': 'in',
  SALE: 'in',
  DEBIT: 'in',
  RECURRING_SALE: 'in',
  RECURRING_DEBIT: 'in',
  RETRY: 'in',
  CREDIT2CARD: 'out',
  // The payer pays, and a payee is paid out to.
  CARD2CARD: 'out',
  CAPTURE: 'in',
  CREDITVOID: 'back',
  VOID: 'back',
  DEBIT2VIRTUAL: 'in',
  DEBIT2VIRTUAL_CALC: 'in',
  DEBIT2VIRTUAL_COMPLETE: 'in',
  CREDIT2VIRTUAL: 'out',
  CREDIT2CRYPTO: 'out',
  GET_TRANS_STATUS: 'read',
  GET_TRANS_STATUS_BY_ORDER: 'read',
  GET_TRANS_DETAILS: 'read',
  CREATE_SCHEDULE: 'in',
  UPDATE_SCHEDULE: 'in',
  PAUSE_SCHEDULE: 'in',
  PAUSE: 'in',
  RUN_SCHEDULE: 'in',
  RUN: 'in',
  DELETE_SCHEDULE: 'in',
  DESCHEDULE: 'in',
  SCHEDULE_INFO: 'read',
} as const satisfies Readonly<Record<string, Direction>>;

export type CallName = keyof typeof DIRECTIONS;

/** The permissions of a request key. */
export const PERMISSIONS = ['create', 'read', 'refund', 'pay-out'] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** The permission that a key needs for each direction. */
export const PERMISSION_FOR = {
  in: 'create',
  out: 'pay-out',
  back: 'refund',
  read: 'read',
} as const satisfies Record<Direction, Permission>;
