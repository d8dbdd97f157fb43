import type { DeclineCode } from '@railyard/core';
import type en from './catalogues/en.json';
import type { Labels } from './labels.ts';
import type { Messages } from './messages.ts';
import type { Say } from './say.ts';

/**
 * All texts of the payment page in one language, as they stand in its file in `catalogues`: ICU messages, which a translator can edit. To add a
 * language, add its file, and its line in `index.ts`; the compiler names a text that is missing.
 */
export interface Catalogue extends Omit<typeof en, 'declines' | 'own'> {
  /** Why a payment was declined, said to the payer about their own account, card and phone. */
  readonly declines: Readonly<Record<DeclineCode, string>>;
  /** Labels and messages that core and this service write in English; a text that is left out stays in English. */
  readonly own: { readonly labels?: Labels; readonly messages: Partial<Messages> };
}

/** In messages that `select` by it: the value is not known. */
const NONE = 'none';

/** The texts that differ between paying and being paid. */
export type Wording = ReturnType<typeof wordingOf>;

const wordingOf = (wording: Catalogue['pay'], say: Say) => ({
  ...wording,
  button: (amount: string) => say(wording.button, { amount }),
  withMethod: (method: string) => say(wording.withMethod, { method }),
  successText: (merchant: string) => say(wording.successText, { merchant }),
  stillOpenUntil: (time: string) => say(wording.stillOpenUntil, { time }),
});

export type Texts = ReturnType<typeof textsOf>;

/** The texts of a language, those with values as functions. */
export const textsOf = (catalogue: Catalogue, say: Say) => ({
  ...catalogue,
  say,
  pay: wordingOf(catalogue.pay, say),
  receive: wordingOf(catalogue.receive, say),
  /** @param percent with its sign */
  includesVat: (percent: string, tax: string) => say(catalogue.includesVat, { percent, tax }),
  backTo: (merchant: string) => say(catalogue.backTo, { merchant }),
  /** Above the form: the amount that the payer typed, as it was understood. */
  amountSaid: (amount: string) => say(catalogue.amountSaid, { amount }),
  /** The terms that the payer agrees to: so many later payments of an amount at an interval. */
  consent: (amount: string, count: number, length: number, unit: 'day' | 'month') =>
    say(catalogue.consent, { amount, count, length, unit }),
  /** @param expires `12/2030` */
  savedCard: (title: string, lastFour: string, expires: string) =>
    say(catalogue.savedCard, { title, lastFour, expires }),
  /** Where the device or browser has no such wallet. */
  walletMissing: (wallet: string) => say(catalogue.walletMissing, { wallet }),
  /** After the problem of an entry: a correct example. */
  forExample: (entry: string) => say(catalogue.forExample, { entry }),
  visitText: (host: string) => say(catalogue.visitText, { host }),
  noWayOn: (merchant: string) => say(catalogue.noWayOn, { merchant }),
  copyValue: (label: string) => say(catalogue.copyValue, { label }),
  /** @param number the phone that was asked, masked; nothing where it is not known */
  stkText: (number: string | undefined) => say(catalogue.stkText, { number: number ?? NONE }),
  /** @param number as of `stkText` */
  appPromptText: (number: string | undefined) => say(catalogue.appPromptText, { number: number ?? NONE }),
  /** @param number the phone that it went to, masked; nothing where it is not known */
  linkSms: (number: string | undefined) => say(catalogue.linkSms, { number: number ?? NONE }),
  addressTitle: (asset: string) => say(catalogue.addressTitle, { asset }),
  networkWarning: (asset: string, network: string | undefined) =>
    say(catalogue.networkWarning, { asset, network: network ?? NONE }),
  /** @param asked the whole; nothing where the payer chooses */
  receivedSoFar: (received: string, asked: string | undefined) =>
    say(catalogue.receivedSoFar, { received, asked: asked ?? NONE }),
  validUntil: (time: string) => say(catalogue.validUntil, { time }),
  endsIn: (time: string) => say(catalogue.endsIn, { time }),
  minutes: (count: number) => say(catalogue.minutes, { count }),
  seconds: (count: number) => say(catalogue.seconds, { count }),
  payBy: (time: string) => say(catalogue.payBy, { time }),
  /** For a code that is still valid after the end of the session. */
  stillPayable: (time: string) => say(catalogue.stillPayable, { time }),
  /** Above other methods, of the payment that waits for the payer. */
  stillWaits: (method: string) => say(catalogue.stillWaits, { method }),
  /** Of a payment that the provider takes back. */
  endsOnceYouPay: (method: string) => say(catalogue.endsOnceYouPay, { method }),
  backToMethod: (method: string) => say(catalogue.backToMethod, { method }),
  /** After a second method was used while the first one waits. */
  notPaidOther: (chosen: string, waiting: string) => say(catalogue.notPaidOther, { chosen, waiting }),
  sessionEnds: (time: string) => say(catalogue.sessionEnds, { time }),
  /** For a page without scripts. */
  sessionUntil: (time: string) => say(catalogue.sessionUntil, { time }),
  attemptsLeft: (count: number) => say(catalogue.attemptsLeft, { count }),
  lastAttempt: (reason: string) => say(catalogue.lastAttempt, { reason }),
  givenBackText: (merchant: string) => say(catalogue.givenBackText, { merchant }),
  paidMore: (received: string, merchant: string) => say(catalogue.paidMore, { received, merchant }),
  paidPart: (received: string, merchant: string) => say(catalogue.paidPart, { received, merchant }),
});
