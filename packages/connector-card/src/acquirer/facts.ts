import type { PaymentFacts } from '@railyard/core';
import * as z from 'zod';

/** A fact never decides about money: one that cannot be read is left out, and the reply still counts. */
const fact = z.string().min(1).optional().catch(undefined);
const factsIn = <S extends z.ZodRawShape>(shape: S) => z.object(shape).optional().catch(undefined);

/** The facts in a reply or a notification, beside the outcome. */
export const factsShape = {
  arn: fact,
  rrn: fact,
  approval_code: fact,
  issuer: factsIn({ bank: fact, country: fact }),
  three_d_secure: factsIn({
    server_transaction_id: fact,
    ds_transaction_id: fact,
    acs_transaction_id: fact,
    xid: fact,
    status: fact,
    status_reason: fact,
    eci: fact,
    version: fact,
    flow: fact,
  }),
  exchange: factsIn({ rate: fact, base: fact, currency: fact, amount: fact }),
};

type FactsReply = z.output<z.ZodObject<typeof factsShape>>;

/** The acquirer's facts under the names that merchants read them by (protocol: Callback and status fields). */
export function factsOf({
  arn,
  rrn,
  approval_code,
  issuer,
  three_d_secure: secure,
  exchange,
}: FactsReply): PaymentFacts {
  return {
    arn,
    rrn,
    approval_code,
    issuer_bank: issuer?.bank,
    issuer_country: issuer?.country,
    threeDSServerTransID: secure?.server_transaction_id,
    dsTransID: secure?.ds_transaction_id,
    acsTransID: secure?.acs_transaction_id,
    xid: secure?.xid,
    transStatus: secure?.status,
    transStatusReason: secure?.status_reason,
    eci: secure?.eci,
    protocolVersion: secure?.version,
    authenticationFlow: secure?.flow,
    exchange_rate: exchange?.rate,
    exchange_rate_base: exchange?.base,
    exchange_currency: exchange?.currency,
    exchange_amount: exchange?.amount,
  };
}
