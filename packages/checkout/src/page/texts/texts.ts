import type { DeclineCode } from '@railyard/core';
import type { Labels } from './labels.ts';
import type { Messages } from './messages.ts';

/** The texts that differ between paying and being paid. */
export interface Wording {
  readonly amountLabel: string;
  readonly button: (amount: string) => string;
  readonly withMethod: (method: string) => string;
  readonly checkingTitle: string;
  readonly checkingText: string;
  readonly successTitle: string;
  readonly successText: (merchant: string) => string;
  readonly declinedTitle: string;
  readonly cancelledTitle: string;
  /** An attempt that the payer wants to leave may still bring money. */
  readonly stillOpenTitle: string;
  readonly stillOpenText: string;
  readonly backToPayment: string;
  /** The attempt was ended by the payer. */
  readonly stoppedText: string;
  readonly givenBackTitle: string;
  readonly waiting: string;
  readonly openAmount: string;
}

/** Everything that the hosted page says, in one language. Add a language: one more file of this type, and its line in `index.ts`. */
export interface Texts {
  readonly pay: Wording;
  readonly receive: Wording;
  readonly testMode: string;
  readonly order: string;
  readonly continue: string;
  readonly cancel: string;
  readonly tryAgain: string;
  /** Gives up the attempt that is under way. */
  readonly change: string;
  readonly checkNow: string;
  readonly backTo: (merchant: string) => string;
  readonly working: string;
  /** Starts the title of a page with refused entries. */
  readonly errorPrefix: string;
  readonly opensNewWindow: string;

  readonly chooseTitle: string;
  readonly chooseReceiveTitle: string;
  readonly changeMethod: string;

  readonly amountTitle: string;
  /** Above the form: the amount that the payer typed, as it was understood. */
  readonly amountSaid: (amount: string) => string;
  /** The terms that the payer agrees to: so many later payments of an amount at an interval. */
  readonly consent: (amount: string, count: number, length: number, unit: 'day' | 'month') => string;
  readonly changeAmount: string;

  readonly changeCard: string;
  readonly newCard: string;
  /** @param expires `12/2030` */
  readonly savedCard: (title: string, lastFour: string, expires: string) => string;

  /** Where the device or browser has no such wallet. */
  readonly walletMissing: (wallet: string) => string;

  readonly optional: string;
  readonly problemTitle: string;
  readonly fieldMissing: string;
  readonly fieldWrong: string;
  /** After what is wrong with an entry: one that would be right. */
  readonly forExample: (entry: string) => string;
  readonly chooseOne: string;

  readonly nextActionTitle: string;
  readonly resend: string;
  readonly nextActionProblem: string;

  readonly visitTitle: string;
  readonly visitText: (host: string) => string;
  readonly visitNewWindow: string;
  readonly noWayOn: (merchant: string) => string;

  readonly qrTitle: string;
  readonly qrName: string;
  readonly qrOpenApp: string;
  readonly qrScanOrCopy: string;
  readonly qrScan: string;
  readonly qrConfirm: string;
  readonly qrCodeLabel: string;
  readonly copyCode: string;
  readonly copy: string;
  readonly copied: string;
  readonly copyValue: (label: string) => string;

  readonly redirectTitle: string;
  readonly redirectText: string;
  readonly appTitle: string;
  readonly appText: string;
  readonly openApp: string;

  readonly detailsTitle: string;
  readonly detailsText: string;
  /** Whose account it is. */
  readonly beneficiary: string;
  /** Who is paid, where the holder of the account is not known. */
  readonly payee: string;
  readonly voucherTitle: string;
  readonly voucherText: string;
  /** On a ticket that leaves out a text, because its fonts lack the letters. */
  readonly ticketLacks: string;
  readonly reference: string;
  readonly openDocument: string;
  readonly barcode: string;
  readonly deviceTitle: string;
  /** @param number the phone that was asked, masked; nothing where it is not known */
  readonly stkText: (number: string | undefined) => string;
  /** @param number as of `stkText` */
  readonly appPromptText: (number: string | undefined) => string;
  readonly linkTitle: string;
  readonly linkEmail: string;
  /** @param number the phone that it went to, masked; nothing where it is not known */
  readonly linkSms: (number: string | undefined) => string;
  readonly addressTitle: (asset: string) => string;
  readonly addressName: string;
  readonly addressLabel: string;
  readonly copyAddress: string;
  readonly asset: string;
  readonly network: string;
  readonly networkWarning: (asset: string, network: string | undefined) => string;
  readonly amountToSend: string;
  readonly countsWhenConfirmed: string;
  /** @param asked the whole; nothing where the payer chooses */
  readonly receivedSoFar: (received: string, asked: string | undefined) => string;

  readonly validUntil: (time: string) => string;
  readonly timeLeft: string;
  readonly endsIn: (time: string) => string;
  readonly minutes: (count: number) => string;
  readonly seconds: (count: number) => string;
  readonly payBy: (time: string) => string;
  /** After the end of the session, of what can be paid for longer. */
  readonly stillPayable: (time: string) => string;
  /** Above other methods, of the payment that waits for the payer. */
  readonly stillWaits: (method: string) => string;
  /** Of a payment that the provider takes back. */
  readonly endsOnceYouPay: (method: string) => string;
  readonly secondComesBack: string;
  /** Where the service cannot give a second payment back. */
  readonly payOnce: string;
  readonly backToMethod: (method: string) => string;
  /** After a second method was used while the first one waits. */
  readonly notPaidOther: (chosen: string, waiting: string) => string;
  /** Says that a code stays valid longer than the page. */
  readonly outlives: string;
  readonly stillOpenUntil: (time: string) => string;
  /** Where the page is still open then. */
  readonly stillOpenAfterwards: string;
  readonly stillOpenLeave: string;
  readonly overTitle: string;
  readonly overRenew: string;
  readonly overWait: string;
  readonly newCode: string;
  readonly sessionEnds: (time: string) => string;
  readonly sessionOver: string;
  /** For a page without scripts. */
  readonly sessionUntil: (time: string) => string;
  readonly updatesItself: string;
  readonly unsent: string;
  readonly offline: string;
  readonly safeToClose: string;

  readonly continuesSoon: string;
  readonly declinedText: string;
  readonly attemptsLeft: (count: number) => string;
  readonly noAttemptsLeft: string;
  readonly lastAttempt: (reason: string) => string;
  readonly lastAttemptUnknown: string;
  readonly errorTitle: string;
  readonly errorText: string;
  readonly nothingCharged: string;
  readonly doNotPayAgain: string;
  readonly givenBackText: (merchant: string) => string;
  readonly expiredTitle: string;
  readonly expiredText: string;
  readonly paidMore: (received: string, merchant: string) => string;
  readonly paidPart: (received: string, merchant: string) => string;
  readonly mayArrive: string;
  readonly mayBePaid: string;
  readonly cancelledText: string;
  readonly unavailableTitle: string;
  readonly unavailableText: string;
  readonly tooManyDeclinesTitle: string;
  readonly tooManyDeclinesText: string;

  /** Why a payment was declined, said to the payer about their own account, card and phone. */
  readonly declines: Readonly<Record<DeclineCode, string>>;

  /** Labels and messages that core and this service write in English; one that is left out stays as it is. */
  readonly own: { readonly labels?: Labels; readonly messages: Partial<Messages> };
}
