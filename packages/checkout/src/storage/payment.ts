import type { PaymentFacts } from '@railyard/core';
import type { ConnectorValues } from '@railyard/core/driver';
import type { Selectable } from './tables.ts';
import * as z from 'zod';
import { fromJsonText } from './database/sql.ts';
import type { JsonValue } from './database/sql.ts';
import type { PaymentsTable } from './tables.ts';

/** An amount as it was written, and in whole minor units. */
export interface StoredMoney {
  readonly text: string;
  readonly minor: bigint;
  readonly currency: string;
}

type Row = Selectable<PaymentsTable>;

/** A payment as it stands. Sums are whole minor units. */
export type Payment = Omit<
  Row,
  | 'amountMinor'
  | 'authorizedMinor'
  | 'capturedMinor'
  | 'receivedMinor'
  | 'receivedText'
  | 'receivedCurrency'
  | 'refundedMinor'
  | 'reservedMinor'
  | 'showText'
  | 'agreementText'
  | 'connectorStateText'
  | 'factsText'
> & {
  readonly amountMinor: bigint | null;
  readonly authorizedMinor: bigint;
  readonly capturedMinor: bigint;
  readonly refundedMinor: bigint;
  /** The sum reserved by refunds under way. */
  readonly reservedMinor: bigint;
  /** The amount received so far. */
  readonly received: StoredMoney | null;
  /** The payment details that the payer sees while the payment is pending. */
  readonly show: JsonValue;
  /** The connector's values that later charges of the mandate need, where this payment began one. */
  readonly agreement: ConnectorValues;
  /** The connector's values that later calls about this payment need. */
  readonly connectorState: ConnectorValues;
  /** The facts that only the provider knows, as far as it has reported any. */
  readonly facts: PaymentFacts;
};

const valuesSchema = z.record(z.string(), z.string());
const noValues: ConnectorValues = Object.freeze({});

/** Most payments have none. */
const valuesOf = (text: string): ConnectorValues => (text === '{}' ? noValues : valuesSchema.parse(fromJsonText(text)));

/** Column by column: a copy without some of a row's seventy columns takes ten times as long. A row may have others beside them. */
export function paymentOf(row: Row): Payment {
  const { receivedText, receivedCurrency } = row;
  return {
    id: row.id,
    sessionId: row.sessionId,
    merchantKey: row.merchantKey,
    operation: row.operation,
    orderNumber: row.orderNumber,
    merchantReference: row.merchantReference,
    method: row.method,
    methodAlias: row.methodAlias,
    connectorId: row.connectorId,
    connectorVersion: row.connectorVersion,
    midId: row.midId,
    attempt: row.attempt,
    payerTry: row.payerTry,
    state: row.state,
    unknown: row.unknown,
    amountText: row.amountText,
    currency: row.currency,
    amountOpen: row.amountOpen,
    payerIp: row.payerIp,
    cardId: row.cardId,
    cardBrand: row.cardBrand,
    payeeCardId: row.payeeCardId,
    cardTokenHash: row.cardTokenHash,
    digitalWallet: row.digitalWallet,
    panType: row.panType,
    mandateId: row.mandateId,
    retryOf: row.retryOf,
    recurringToken: row.recurringToken,
    decidedBy: row.decidedBy,
    modifying: row.modifying,
    reason: row.reason,
    declineKind: row.declineKind,
    declineCode: row.declineCode,
    providerReference: row.providerReference,
    providerStatus: row.providerStatus,
    providerCode: row.providerCode,
    providerMessage: row.providerMessage,
    asideText: row.asideText,
    hints: row.hints,
    hintedSince: row.hintedSince,
    hintPollAt: row.hintPollAt,
    pollAt: row.pollAt,
    polls: row.polls,
    callbacks: row.callbacks,
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    erasedAt: row.erasedAt,
    amountMinor: row.amountMinor === null ? null : BigInt(row.amountMinor),
    authorizedMinor: BigInt(row.authorizedMinor),
    capturedMinor: BigInt(row.capturedMinor),
    refundedMinor: BigInt(row.refundedMinor),
    reservedMinor: BigInt(row.reservedMinor),
    received:
      receivedText === null || receivedCurrency === null
        ? null
        : { text: receivedText, minor: BigInt(row.receivedMinor), currency: receivedCurrency },
    show: row.showText === null ? null : fromJsonText(row.showText),
    agreement: valuesOf(row.agreementText),
    connectorState: valuesOf(row.connectorStateText),
    facts: valuesOf(row.factsText),
  };
}
