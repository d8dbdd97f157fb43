import { type Answer, type CommandFormula, type ErrorBody, type SignedCommandFields } from '@railyard/core/protocol';
import { type SignedValues, signedValues } from '../../callbacks/content/signed-values.ts';
import { sessionOf } from '../../payments/transitions/apply.ts';
import { sealedAt } from '../../secrets/index.ts';
import type { MerchantScope, Payment } from '../../storage/index.ts';
import { commandHashBy } from '../basics/call.ts';
import type { SignedByHash } from '../basics/signed-request.ts';
import type { CommandDeps } from './deps.ts';

/** The id of no payment. */
const NOT_THERE = '00000000-0000-0000-0000-000000000000';

/** As long as a request that is kept. */
const LIKE_A_REQUEST = 'x'.repeat(1000);

/** Stands for the values of a payment that is not there: nothing is signed with it. */
const NO_VALUES: SignedValues = { payer_email: '', card: '' };

/** Finds the payment that a command names, as its sender's. */
export type FindPayment = (scope: MerchantScope) => Promise<Payment | undefined>;

interface OfPayment<F extends CommandFormula> {
  readonly client_key: string;
  readonly hash: string;
  readonly find: FindPayment;
  readonly formula: F;
  readonly covered: (values: SignedValues) => SignedCommandFields<F>;
  /** A formula over what was sent alone, which signs as well. */
  readonly also?: SignedByHash;
  /** The answer to a wrong hash and to a payment that is not there. */
  readonly notFound: Answer<ErrorBody>;
}

/**
 * A hash that covers the e-mail and the card of a stored payment. A wrong one and an unknown payment get one answer after the same work, so
 * that neither the answer nor its time shows a caller without the password which payments there are.
 */
export function signedByPayment<F extends CommandFormula>(
  context: CommandDeps,
  { client_key, hash, find, formula, covered, also, notFound }: OfPayment<F>,
): SignedByHash {
  const read = async () => {
    const found = context.directory.find(client_key);
    const scope = { merchantKey: found?.merchant.config.key ?? client_key, test: found?.test ?? false };
    const values = await valuesOf(context, await find(scope));
    return { isThere: values !== undefined, byPayment: commandHashBy(formula, covered(values ?? NO_VALUES), hash) };
  };
  let stored: ReturnType<typeof read> | undefined;
  const once = () => (stored ??= read());
  return {
    readsStored: true,
    async verify(keys) {
      const { isThere, byPayment } = await once();
      const [one, other] = [await byPayment.verify(keys), await also?.verify(keys)];
      if (other?.ok === true) return other;
      return isThere ? one : { ok: false };
    },
    async isIssued(issued) {
      const { byPayment } = await once();
      return (await byPayment.isIssued(issued)) || ((await also?.isIssued(issued)) ?? false);
    },
    refusal: notFound,
  };
}

/** The same reads for a payment that is not there. */
async function valuesOf(context: CommandDeps, payment: Payment | undefined): Promise<SignedValues | undefined> {
  const { cards, sessions } = context.stores;
  const kept = await cards.find(payment?.cardId ?? NOT_THERE);
  if (payment !== undefined) return signedValues(await sessionOf(context, payment), kept);
  await sessions.find(NOT_THERE);
  // To seal costs what it costs to open.
  context.sealer.seal(LIKE_A_REQUEST, sealedAt.request(NOT_THERE));
  return undefined;
}
