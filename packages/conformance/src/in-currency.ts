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

/**
 * Every sample of an amount in currencies of every number of decimals, two of each, with amounts that use every decimal. One of them is like 19.99, which
 * floats cannot hold: times a hundred it is 1998.9999999999998.
 */
export function inCurrencies(subject: Subject): readonly InCurrency[] {
  return subject.cases
    .filter((one) => !isOpen(one))
    .flatMap((one) => {
      const codes = currenciesFor(subject, one);
      const first = codes.find((code) => findCurrency(code)?.exponent !== 0);
      return codes.flatMap((code) => amountsIn(subject, one, code, code === first));
    });
}

/** Every sample of an amount in each currency of its method. */
export function inEveryCurrency(subject: Subject): readonly InCurrency[] {
  return subject.cases
    .filter((one) => !isOpen(one))
    .flatMap((one) => (one.method.currencies ?? []).flatMap((code) => amountsIn(subject, one, code, false)));
}

export const nameOf = ({ path }: Case, { text, currency: code }: Money) => `${path} of ${text} ${code}`;

const isOpen = ({ request }: Case) =>
  typeof request.order === 'object' && request.order !== null && !('amount' in request.order);

/** Two currencies for each number of decimals that the method takes, the first of each before the others, and each whose decimals are the provider's own. */
function currenciesFor({ options: { simulation } }: Subject, { method }: Case): readonly string[] {
  const usual = ['USD', 'EUR', 'JPY', 'KWD', 'CLF', 'BTC'];
  const taken = method.currencies ?? usual.filter((code) => findCurrency(code)?.kind === 'fiat');
  const own = Object.keys(simulation?.decimals ?? {}).filter((code) => method.currencies?.includes(code) ?? true);
  const byExponent = new Map<number, string[]>();
  for (const code of taken) {
    const known = currencies.get(code);
    if (known !== undefined && !own.includes(code))
      byExponent.set(known.exponent, [...(byExponent.get(known.exponent) ?? []), code]);
  }
  const alike = [...byExponent.values()];
  return [0, 1].flatMap((at) => alike.flatMap((codes) => codes[at] ?? [])).concat(own);
}

/**
 * The sample in another currency, with amounts that use every decimal of the currency and of the provider; none where the method does not
 * take it.
 *
 * @param several with a second amount
 */
function amountsIn(subject: Subject, one: Case, code: string, several: boolean): readonly InCurrency[] {
  if (one.deployment.session !== one.request || one.method.operations[one.operation] === undefined) return [];
  const { simulation } = subject.options;
  const whole = money(amountWithin(one.method, one.operation, code), code);
  const exponent = BigInt(findCurrency(code)?.exponent ?? 2);
  const decimals = BigInt(simulation?.decimals?.[code] ?? exponent);
  const step = BigInt(simulation?.steps?.[code] ?? 1);
  const least = decimals < exponent ? 10n ** (exponent - decimals) : step;
  const rounded = (minor: bigint) => minor - (minor % least);
  const hasFraction = exponent > 0n && decimals > 0n;
  const odd = hasFraction ? rounded(whole.minor) + least : rounded(whole.minor);
  const fifth = whole.minor / 5n;
  const others =
    several && hasFraction ? [whole.minor - fifth, whole.minor + fifth].map((at) => rounded(at) - least) : [];
  const taken = (tried: readonly bigint[]) =>
    tried.flatMap((minor) => withAmount(one, moneyOfMinor(minor, code)) ?? [])[0];
  return [taken([odd, whole.minor]), taken(others)].flatMap((each) => each ?? []);
}

function withAmount(one: Case, asked: Money): InCurrency | undefined {
  const request = merged(one.request, { order: { currency: asked.currency, amount: asked.text } });
  const deployment = { ...one.deployment, session: request };
  return validate(deployment, request).ok ? { own: { ...one, request, deployment }, asked } : undefined;
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
