import type { Row } from './transition-row.ts';

const LATE = '[decision](decisions/late-and-partial-money.md)';

/** Events after a success: modifications that fail late, holds that end, disputes that are decided. */
export const LATE_ROWS: readonly Row[] = [
  {
    from: ['authorized'],
    on: 'hold-expired',
    to: 'reversed',
    when: 'the hold was not captured in time, and the provider released it',
    source: LATE,
  },
  {
    from: ['partially_approved'],
    on: 'hold-expired',
    to: 'declined',
    when: 'the hold was not captured in time',
    source: LATE,
  },
  {
    from: ['settled'],
    on: 'capture-failed',
    to: 'authorized',
    when: 'the provider reports later that the capture failed; nothing was refunded or disputed',
    source: LATE,
  },
  {
    from: ['voided'],
    on: 'void-failed',
    to: 'settled',
    when: 'the provider reports later that the void failed',
    source: LATE,
  },
  {
    from: ['reversed'],
    on: 'release-failed',
    to: 'authorized',
    when: 'the provider reports later that the hold was not released',
    source: LATE,
  },
  {
    from: ['refunded'],
    on: 'refund-failed',
    to: 'settled',
    when: 'the provider reports later that a refund failed: its amount can be refunded again',
    source: LATE,
  },
  {
    from: ['charged_back'],
    on: 'chargeback-won',
    to: 'settled',
    when: 'the merchant won the dispute',
    source: LATE,
  },
  {
    from: ['charged_back'],
    on: 'chargeback-won',
    to: 'refunded',
    when: 'the merchant won the dispute, and the whole amount was refunded meanwhile',
    source: LATE,
  },
];
