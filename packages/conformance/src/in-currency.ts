import { compareMoney, currencies, currency as findCurrency, type Money, money, moneyOfMinor } from '@railyard/core';
import { validate } from './host/world.ts';
import type { LedgerLine, ProviderDouble } from './provider/double.ts';
import { amountWithin, merged } from './sample-request.ts';
import type { Case, Subject } from './subject.ts';

/** A sample in one of the currencies of its method, and the amount that it asks for. */
export interface InCurrency {
  readonly own: Case;
  readonly asked: Money;
}

/** Every sample of an amount in currencies of every number of decimals, with amounts that use every decimal. */
export function inCurrencies(subject: Subject): readonly InCurrency[] {
  return subject.cases
    .filter((one) => !isOpen(one))
    .flatMap((one) => currenciesFor(subject, one).flatMap((code) => inCurrency(subject, one, code) ?? []));
}

export const nameOf = ({ path }: Case, { text, currency: code }: Money) => `${path} of ${text} ${code}`;

const isOpen = ({ request }: Case) =>
  typeof request.order === 'object' && request.order !== null && !('amount' in request.order);

/** One currency for each number of decimals that the method takes, and each whose decimals are the provider's own. */
function currenciesFor({ options: { simulation } }: Subject, { method }: Case): readonly string[] {
  const usual = ['USD', 'JPY', 'KWD', 'CLF', 'BTC'];
  const taken = method.currencies ?? usual.filter((code) => findCurrency(code)?.kind === 'fiat');
  const own = Object.keys(simulation?.decimals ?? {}).filter((code) => method.currencies?.includes(code) ?? true);
  const byExponent = new Map<number, string>();
  for (const code of taken) {
    const known = currencies.get(code);
    if (known !== undefined && !own.includes(code) && !byExponent.has(known.exponent))
      byExponent.set(known.exponent, code);
  }
  return [...byExponent.values(), ...own];
}

/** The sample in another currency, with an amount that uses every decimal of the currency and of the provider; nothing where the method does not take it. */
function inCurrency({ options: { simulation } }: Subject, one: Case, code: string): InCurrency | undefined {
  if (one.deployment.session !== one.request || one.method.operations[one.operation] === undefined) return undefined;
  const whole = money(amountWithin(one.method, one.operation, code), code);
  const exponent = BigInt(findCurrency(code)?.exponent ?? 2);
  const decimals = BigInt(simulation?.decimals?.[code] ?? exponent);
  const counted = decimals < exponent ? 10n ** (exponent - decimals) : 1n;
  // The provider may want a last digit of 0.
  const least = simulation?.counts?.(moneyOfMinor(counted, code)) === false ? counted * 10n : counted;
  const even = moneyOfMinor(whole.minor - (whole.minor % least), code);
  const odd = exponent === 0n || decimals === 0n ? even : moneyOfMinor(even.minor + least, code);
  for (const asked of [odd, whole]) {
    const request = merged(one.request, { order: { currency: code, amount: asked.text } });
    const deployment = { ...one.deployment, session: request };
    if (validate(deployment, request).ok) return { own: { ...one, request, deployment }, asked };
  }
  return undefined;
}

const OPENING = new Set(['charge', 'payout', 'authorize']);

/** The line of a payment's own amount. */
export const openingOf = ({ ledger }: ProviderDouble): LedgerLine | undefined =>
  ledger.find(({ effect }) => OPENING.has(effect));

/** Whether a line is of an amount; one without a currency is of the amount's. */
export function isAmount({ amount, currency: code = '' }: LedgerLine, wanted: Money): boolean {
  try {
    return (code === '' || code === wanted.currency) && compareMoney(money(amount, wanted.currency), wanted) === 0;
  } catch {
    return false;
  }
}
