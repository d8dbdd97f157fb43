export type { PaymentAuthentication, PaymentCard, PaymentWallet } from './connector/card-handle.ts';
export {
  type Connector,
  defineConnector,
  type Flows,
  type FollowUpFlows,
  type LookedUpModification,
  oneCall,
} from './connector/define-connector.ts';
export type { DeclineCode } from './connector/decline-codes.ts';
export type { DigitalWallet, MerchantValidation, WalletCard, WalletRead } from './connector/digital-wallet.ts';
export { type StatusReport, withGivenBack } from './connector/given-back.ts';
export { call, type Endpoint, type Example, reply, type ReplyOf, type RequestContext } from './connector/endpoint.ts';
export { collect, credential, type Steps, visit } from './connector/flow.ts';
export { type Notifications, notificationsFor, type ProviderEvent } from './connector/notification.ts';
export { oauthToken } from './connector/oauth-token.ts';
export { isOfAnother, ofThisPayment, type References } from './connector/of-this-payment.ts';
export { authorized, declined, type Outcome, pending, settled, unknown } from './connector/outcome.ts';
export type {
  ContextOf,
  FlowContext,
  LookedUpPayment,
  OriginalPayment,
  PaymentInput,
} from './connector/payment-input.ts';
export type { RawNotification } from './connector/raw-notification.ts';
export { notFound, refusedBy } from './connector/problem.ts';
export { foundBy, getOrFind, providerApi } from './connector/provider-api.ts';
export { type Reasons, unlessTakenBefore, withReason } from './connector/reasons.ts';
export { amountFields, amountOf, withAmount } from './connector/reply-amount.ts';
export {
  address,
  confirmOnDevice,
  linkSent,
  paymentDetails,
  qr,
  redirect,
  type Show,
  voucher,
} from './connector/show.ts';
export { statusTable } from './connector/statuses.ts';
export { timestampedHmac } from './connector/timestamped-hmac.ts';
export { undecided, type Undecided } from './connector/undecided.ts';
export type { WireValue } from './connector/wire.ts';
export { countryCodes } from './country-codes.ts';
export { TEXTS } from './issues/texts.ts';
export type { Condition } from './method/condition.ts';
export {
  defineMethod,
  type Method,
  type OperationSpec,
  type PlainOperation,
  type Rule,
  type RuleFacts,
  type RuleResult,
  type VariedOperation,
} from './method/define-method.ts';
export { field, type FieldInfo, secret } from './method/field.ts';
export { type LimitRow, limitsTable, type LimitsTable } from './method/limits.ts';
export type { Operation } from './method/operation.ts';
export { compareMoney, isZero } from './money/arithmetic.ts';
export { currencies, type Currency, currency } from './money/currencies.ts';
export { JsonNumberLiteral } from './money/json-number.ts';
export { type Money, money, moneyOfMinor, parseMoney } from './money/money.ts';
export {
  decimal,
  fromDecimal,
  fromMinorUnits,
  jsonNumber,
  minorUnits,
  minorUnitsBigint,
  twoDecimals,
  wholeUnits,
} from './money/provider-formats.ts';
export type { PayerText } from './payer-text.ts';
export { readPath } from './plain-data.ts';
export { nestBrackets } from './session/brackets.ts';
export { inOneLine, isCleanText } from './session/characters.ts';
export {
  checkedString,
  countryCode,
  currencyCode,
  day,
  email,
  flag,
  phone,
  text,
  uuid,
  wholeNumber,
} from './session/fields.ts';
export type { PaymentFacts } from './payment/facts.ts';
export { publicUrl } from './session/public-url.ts';
export { redirectUrl } from './session/redirect-url.ts';
