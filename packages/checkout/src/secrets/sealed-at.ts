import { fromJsonText, type JsonValue, toJsonText } from '../storage/index.ts';
import { isSealed, type SealedPlace, type Sealer } from './sealer.ts';

/** Every column that is sealed: what writes it and what reads it name the same place. */
export const sealedAt = {
  /** The merchant's request: names, addresses, tokens of cards. */
  request: (sessionId: string) => at('sessions', 'request_text', sessionId),
  /** The values that a flow was started with: document numbers and the like. */
  runInput: (runId: string) => at('flow_runs', 'input_text', runId),
  /** The questions to the payer or the address of a redirect, with the provider's one-time tokens. */
  runAsks: (runId: string) => at('flow_runs', 'suspended_text', runId),
  /** Replies of providers and payers: details of accounts, one-time codes. */
  reply: (runId: string, step: string) => at('journal', 'reply_text', `${runId}/${step}`),
  /** Method, address and headers of a notification. */
  notificationRequest: (id: string) => at('provider_notifications', 'request_text', id),
  notificationBody: (id: string) => at('provider_notifications', 'body', id),
  /** The body of a callback: the payer's name and address, tokens to charge again with. */
  callbackBody: (id: string) => at('callbacks', 'body', id),
  /** The answer that a repeat gets: it may hold a token to charge again with. */
  idempotencyAnswer: (merchantKey: string, idempotencyKey: string) =>
    at('idempotency_keys', 'answer_text', `${merchantKey}/${idempotencyKey}`),
  cardNumber: (cardId: string) => at('cards', 'number_text', cardId),
  cardHolder: (cardId: string) => at('cards', 'holder_text', cardId),
  /** A merchant's token of a saved card, which callbacks repeat. */
  cardToken: (tokenHash: string) => at('card_tokens', 'token_text', tokenHash),
  /** The token with which a merchant charges a payer again, which callbacks repeat. */
  recurringToken: (paymentId: string) => at('payments', 'recurring_token', paymentId),
  /** The secrets of merchants and MIDs. */
  configuration: (version: number | string) => at('configurations', 'sealed', String(version)),
  /** The service's own, such as the key of page addresses. */
  serviceSecret: (name: string) => at('service_secrets', 'sealed', name),
} as const;

function at(table: string, column: string, row: string): SealedPlace {
  return { table, column, row };
}

/** A value as sealed JSON. A store writes it as it would write any other string. */
export const sealJson = (sealer: Sealer, value: unknown, place: SealedPlace): string =>
  sealer.seal(toJsonText(value), place);

/** Reads what `sealJson` made; a value from before values were sealed is read as it is. */
export function openJson(sealer: Sealer, value: JsonValue, place: SealedPlace): JsonValue {
  return typeof value === 'string' && isSealed(value) ? fromJsonText(sealer.open(value, place)) : value;
}

/** Opens a sealed text; one from before texts were sealed is read as it is. */
export const openText = (sealer: Sealer, text: string, place: SealedPlace): string =>
  isSealed(text) ? sealer.open(text, place) : text;
