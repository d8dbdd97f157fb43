import type { PaymentFacts } from '@railyard/core';
import type { ConnectorValues } from '@railyard/core/driver';
import type { Selectable } from './schema/columns.ts';
import * as z from 'zod';
import { fromJsonText } from './json-text.ts';
import type { JsonValue } from './json-text.ts';
import type { PaymentsTable } from './schema/payments.ts';

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

export function paymentOf(row: Row): Payment {
  const {
    amountMinor,
    authorizedMinor,
    capturedMinor,
    refundedMinor,
    reservedMinor,
    receivedMinor,
    receivedText,
    receivedCurrency,
    showText,
    agreementText,
    connectorStateText,
    factsText,
    ...rest
  } = row;
  return {
    ...rest,
    amountMinor: amountMinor === null ? null : BigInt(amountMinor),
    authorizedMinor: BigInt(authorizedMinor),
    capturedMinor: BigInt(capturedMinor),
    refundedMinor: BigInt(refundedMinor),
    reservedMinor: BigInt(reservedMinor),
    received:
      receivedText === null || receivedCurrency === null
        ? null
        : { text: receivedText, minor: BigInt(receivedMinor), currency: receivedCurrency },
    show: showText === null ? null : fromJsonText(showText),
    agreement: valuesSchema.parse(fromJsonText(agreementText)),
    connectorState: valuesSchema.parse(fromJsonText(connectorStateText)),
    facts: valuesSchema.parse(fromJsonText(factsText)),
  };
}
