import {
  cardDigits,
  type CommandFormula,
  type InnerDigest,
  signCommand,
  type SignedCommandFields,
} from '@railyard/core/merchant';
import {
  acceptedTransaction,
  type AcceptedTransaction,
  type CreatedSchedule,
  type Read,
  type ScheduleAnswer,
  type ScheduleInfo,
  scheduleInfo,
  type Transaction,
  transaction,
  type TransactionDetails,
  transactionDetails,
} from './answers.ts';
import { ask } from './ask.ts';
import type {
  AccountCredit,
  AmountOnTransaction,
  ApmSale,
  CardDebit,
  CardSale,
  CardTransfer,
  CommandCharge,
  CommandCredit,
  CryptoCredit,
  OnOrder,
  OnPayerOfSchedule,
  OnSchedule,
  OnTransaction,
  ScheduleTerms,
  SignedCard,
  VirtualDebit,
} from './command-requests.ts';
import type { CallOptions, Sending } from './send.ts';

/** The server-to-server commands (docs: server-to-server). An answer `UNDEFINED` is not yet known: wait for the callback, **do not ask again**. */
export interface Commands {
  /** A payment by card, or with `auth: 'Y'` a hold (`SALE` of S2S CARD). */
  cardSale(sale: CardSale, options?: CallOptions): Promise<Transaction>;
  /** Debits a card (`DEBIT`). */
  cardDebit(debit: CardDebit, options?: CallOptions): Promise<Transaction>;
  /** A payment by another method (`SALE` of S2S APM). */
  apmSale(sale: ApmSale, options?: CallOptions): Promise<Transaction>;
  /** Debits a payer the amount and a commission (`DEBIT2VIRTUAL`). */
  debitToVirtual(debit: VirtualDebit, options?: CallOptions): Promise<Transaction>;
  /** Says what such a debit would cost the payer, and sends nothing to a provider (`DEBIT2VIRTUAL_CALC`). */
  calculateDebit(debit: VirtualDebit & { readonly payer_address: string }, options?: CallOptions): Promise<Transaction>;
  /** Completes a calculated debit, by its `trans_id` (`DEBIT2VIRTUAL_COMPLETE`). */
  completeDebit(of: Omit<OnTransaction, 'signedWith'>, options?: CallOptions): Promise<Transaction>;
  /** Charges again what a first sale agreed to (`RECURRING_SALE`); `signedWith` is the e-mail and the card of that one. */
  recurringSale(charge: CommandCharge, options?: CallOptions): Promise<Transaction>;
  /** The same of a first debit (`RECURRING_DEBIT`). */
  recurringDebit(charge: CommandCharge, options?: CallOptions): Promise<Transaction>;
  /** Tries a later charge again that was declined softly (`RETRY`). */
  retryTransaction(of: OnTransaction, options?: CallOptions): Promise<AcceptedTransaction>;
  /** Takes money that is held, whole or in one part (`CAPTURE`). */
  captureTransaction(of: AmountOnTransaction, options?: CallOptions): Promise<Transaction>;
  /** Gives money back, whole or in parts, or releases a hold (`CREDITVOID`). */
  creditVoid(of: AmountOnTransaction, options?: CallOptions): Promise<AcceptedTransaction>;
  /** Takes a settled sale back (`VOID`). */
  voidTransaction(of: OnTransaction, options?: CallOptions): Promise<Transaction>;
  /** Pays out to a card (`CREDIT2CARD`). */
  creditToCard(payout: CommandCredit, options?: CallOptions): Promise<Transaction>;
  /** Takes from one card and pays to another (`CARD2CARD`). */
  cardToCard(transfer: CardTransfer, options?: CallOptions): Promise<Transaction>;
  /** Pays out to an account or a wallet (`CREDIT2VIRTUAL`). */
  creditToVirtual(payout: AccountCredit, options?: CallOptions): Promise<Transaction>;
  /** Pays out coins (`CREDIT2CRYPTO`). */
  creditToCrypto(payout: CryptoCredit, options?: CallOptions): Promise<Transaction>;
  /** Makes a recurring schedule (`CREATE_SCHEDULE`). */
  createSchedule(terms: ScheduleTerms, options?: CallOptions): Promise<CreatedSchedule>;
  /** Changes the given terms of a schedule. */
  onSchedule(
    action: 'UPDATE_SCHEDULE',
    of: OnSchedule & Partial<ScheduleTerms>,
    options?: CallOptions,
  ): Promise<ScheduleAnswer>;
  /** Charges nothing by a schedule until it runs again, or ends that pause; of one payer alone with their `recurring_token`. */
  onSchedule(
    action: 'PAUSE_SCHEDULE' | 'RUN_SCHEDULE',
    of: OnSchedule & Partial<OnPayerOfSchedule>,
    options?: CallOptions,
  ): Promise<ScheduleAnswer>;
  /** Charges one payer no more by a schedule. */
  onSchedule(action: 'DESCHEDULE', of: OnPayerOfSchedule, options?: CallOptions): Promise<ScheduleAnswer>;
  /** Takes a schedule away that no payment uses. */
  onSchedule(action: 'DELETE_SCHEDULE', of: OnSchedule, options?: CallOptions): Promise<ScheduleAnswer>;
  /** The terms of a schedule. */
  onSchedule(action: 'SCHEDULE_INFO', of: OnSchedule, options?: CallOptions): Promise<ScheduleInfo>;
  /** How a transaction stands, by the `trans_id` of an answer or of a return (`GET_TRANS_STATUS`). */
  transactionStatus(of: OnTransaction, options?: CallOptions): Promise<Transaction>;
  /** The same with its single transactions (`GET_TRANS_DETAILS`). */
  transactionDetails(of: OnTransaction, options?: CallOptions): Promise<TransactionDetails>;
  /** How the newest payment of an order by card stands (`GET_TRANS_STATUS_BY_ORDER`). */
  transactionStatusByOrder(of: OnOrder, options?: CallOptions): Promise<Transaction>;
}

interface Merchant {
  readonly merchantKey: string;
  readonly password?: string;
  readonly digest?: InnerDigest;
}

/** The commands, which have an address, a key and signatures of their own. */
export function commandsOf(
  sending: Sending,
  { merchantKey: client_key, password, digest = 'md5' }: Merchant,
): Commands {
  const sent = <A>(action: string, body: object, hash: string | undefined, read: Read<A>, call?: CallOptions) =>
    ask(sending, '/post', { action, client_key, ...body, hash }, read, call);
  const sign = <F extends CommandFormula>(formula: F, fields: SignedCommandFields<F>) =>
    password === undefined ? undefined : signCommand(formula, fields, password, { digest });
  const byCard = (card: SignedCard | undefined) => sign('card', covered(card ?? {}));
  const onTransaction =
    <A>(action: string, read: Read<A>, alone: 'transaction' | 'credit_void' = 'transaction') =>
    ({ signedWith, ...body }: AmountOnTransaction, call?: CallOptions) => {
      const { trans_id } = body;
      const hash =
        signedWith === undefined
          ? sign(alone, { trans_id })
          : sign('card_transaction', { ...covered(signedWith), trans_id });
      return sent(action, body, hash, read, call);
    };
  const charge =
    (action: string) =>
    ({ signedWith, ...body }: CommandCharge, call?: CallOptions) =>
      sent(action, body, byCard(signedWith), transaction, call);
  return {
    cardSale: (sale, call) => sent('SALE', sale, byCard(sale), transaction, call),
    cardDebit: (debit, call) => sent('DEBIT', debit, byCard(debit), transaction, call),
    apmSale: (sale, call) =>
      sent('SALE', sale, sign('collection', { identifier: '', order_amount: '', ...sale }), transaction, call),
    debitToVirtual: (debit, call) => sent('DEBIT2VIRTUAL', debit, sign('collection', debit), transaction, call),
    calculateDebit: (debit, call) => sent('DEBIT2VIRTUAL_CALC', debit, sign('collection', debit), transaction, call),
    completeDebit: onTransaction('DEBIT2VIRTUAL_COMPLETE', transaction),
    recurringSale: charge('RECURRING_SALE'),
    recurringDebit: charge('RECURRING_DEBIT'),
    retryTransaction: ({ signedWith, ...body }, call) =>
      sent('RETRY', body, byCard(signedWith), acceptedTransaction, call),
    captureTransaction: onTransaction('CAPTURE', transaction),
    creditVoid: onTransaction('CREDITVOID', acceptedTransaction, 'credit_void'),
    voidTransaction: onTransaction('VOID', transaction),
    creditToCard: (payout, call) =>
      sent('CREDIT2CARD', payout, byCard({ ...payout, payer_email: '' }), transaction, call),
    cardToCard: (transfer, call) =>
      sent('CARD2CARD', transfer, byCard({ ...transfer, card_number: transfer.payer_card_number }), transaction, call),
    creditToVirtual: (payout, call) => sent('CREDIT2VIRTUAL', payout, sign('payout', payout), transaction, call),
    creditToCrypto: (payout, call) => sent('CREDIT2CRYPTO', payout, sign('payout', payout), transaction, call),
    createSchedule: (terms, call) =>
      sent('CREATE_SCHEDULE', terms, sign('schedule', { schedule_id: '' }), scheduleInfo, call),
    onSchedule: (action: string, of: OnSchedule, call?: CallOptions) =>
      sent(action, of, sign('schedule', of), scheduleInfo, call),
    transactionStatus: onTransaction('GET_TRANS_STATUS', transaction),
    transactionDetails: onTransaction('GET_TRANS_DETAILS', transactionDetails),
    transactionStatusByOrder: ({ signedWith, order_id }, call) =>
      sent(
        'GET_TRANS_STATUS_BY_ORDER',
        { order_id },
        sign('card_order', { ...covered(signedWith), order_id }),
        transaction,
        call,
      ),
  };
}

/** Of a card its digits, of a saved one its token (docs: server-to-server). */
function covered({ payer_email = '', card_number, card_token = '' }: SignedCard) {
  return { payer_email, card: card_number === undefined ? card_token : cardDigits(card_number) };
}
