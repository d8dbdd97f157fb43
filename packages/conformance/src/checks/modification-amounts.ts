import { moneyOfMinor } from '@railyard/core';
import { type Check, NO_PROVIDER, notApplicable, textOf } from '../check.ts';
import type { Finding } from '../finding.ts';
import { type InCurrency, inCurrencies, inEveryCurrency, isAmount, nameOf } from '../in-currency.ts';
import { type Leaf, leavesOf } from '../leaves.ts';
import { modificationsOn, play, type Story } from '../play/story.ts';
import { type CaseRun, runsOf } from '../runs.ts';
import type { Subject } from '../subject.ts';
import { walk, type WalkedRequest } from '../walk.ts';

const NO_MODIFICATION = notApplicable('No sample of an amount is captured, voided or refunded.');

type Modification = Exclude<ReturnType<typeof modificationsOn>[number], 'recurring'>;

const isModification = (name: ReturnType<typeof modificationsOn>[number]): name is Modification => name !== 'recurring';

/** The fault of an action on a payment of an amount at the provider, or nothing. */
async function wronglyDone(
  subject: Subject,
  { own, asked }: InCurrency,
  modification: Modification,
): Promise<string | undefined> {
  const story: Story = { name: nameOf(own, asked), case: own, pays: 'at-once', modification };
  const { payment, provider } = await play(subject, story);
  if (!payment.modifications.some((each) => each.modification === modification)) return undefined;
  // A payment that was not held is taken back by what simulations call a cancellation.
  const line = provider.ledger.find(
    ({ effect }) => effect === modification || (modification === 'void' && effect === 'cancel'),
  );
  // A payment that cannot be voided once it is paid is refused by the provider.
  const isRefused = payment.modifications.every(({ status }) => status === 'declined');
  if (line === undefined && modification === 'void' && isRefused) return undefined;
  if (line === undefined)
    return `the provider did no ${modification}. Ask for it in the currency and the units of its payment, and see where the simulation reads them.`;
  return isAmount(line, asked)
    ? undefined
    : `the provider was asked for a ${modification} of ${line.amount} ${line.currency ?? ''}. Ask for the amount of the modification, by the converter of its payment.`;
}

/** Another currency of the method that a request names, although neither the sample nor the settings do, and where. */
function otherCurrency({ own, asked }: InCurrency, { wire, settings }: WalkedRequest): string | undefined {
  const { sign: _sign, headers: _headers, ...sent } = wire;
  const given = new Set(
    [own.request, own.sample.mid, own.sample.payer, settings]
      .flatMap((each) => leavesOf(each))
      .map(({ value }) => value),
  );
  const found = leavesOf(sent).find(({ value }) => {
    if (typeof value !== 'string' || given.has(value)) return false;
    const code = value.toUpperCase();
    return code !== asked.currency && own.method.currencies?.includes(code) === true;
  });
  return found && `${String(found.value)} at ${found.place}`;
}

/** Fields that say whether a capture is the last (`final_capture` of PayPal, `isFinal` of Worldline) or frees the rest, without signs between words. */
const LETS_GO =
  /^(is)?(final|last)(capture|payment)?$|^capture(is)?(final|last)$|^(release|cancel|void)(remaining|remainder|rest)$/;
/** Fields that say whether more captures follow, without signs between words. */
const KEEPS = /^(is|allow)?(multi|multiple)captures?$|^(keep|hold)(remaining|remainder|rest)$/;
/** Values that say that more captures follow: `capture_type` of Checkout.com is `NonFinal`, `CompleteType` of PayPal `NotComplete`. */
const NON_FINAL = /^(non|not)[-_ ]?(final|complete)$/i;
const NO: ReadonlySet<string> = new Set(['false', 'no', 'n', '0']);
const YES: ReadonlySet<string> = new Set(['true', 'yes', 'y', '1']);

/** The captures of two fifths of a sample's amount. */
function capturesOfAPart({ own, asked }: InCurrency): readonly CaseRun[] {
  if (own.flows.capture?.partial !== true) return [];
  const amount = moneyOfMinor((asked.minor * 2n) / 5n, asked.currency);
  const captures = runsOf(own).filter(({ flow }) => flow === 'capture');
  return captures.map((each) => ({ ...each, run: { ...each.run, context: { ...each.run.context, amount } } }));
}

/** Whether a field of a capture says that the rest stays held. */
function keepsTheRest({ place, value }: Leaf): boolean {
  const text = String(value).toLowerCase();
  const name = place
    .slice(place.lastIndexOf('.') + 1)
    .replaceAll(/[^a-z]/gi, '')
    .toLowerCase();
  return (NO.has(text) && LETS_GO.test(name)) || (YES.has(text) && KEEPS.test(name)) || NON_FINAL.test(text);
}

/** Where a request asks the provider to keep the rest of the hold; a lookup asks for nothing. */
function keptAt({ endpoint, wire: { json, form, query, xml } }: WalkedRequest): string | undefined {
  if (endpoint.repeat === 'safe') return undefined;
  const found = leavesOf({ json, form, query, xml }).find(keepsTheRest);
  return found && `${found.place}: ${String(found.value)}`;
}

export const modificationAmountChecks: readonly Check[] = [
  {
    id: 'modifications-reach-the-provider',
    level: 'required',
    title: 'captures, voids and refunds are asked for in the amount and currency of their payment, in every currency',
    async run(subject) {
      if (subject.provider === undefined) return NO_PROVIDER;
      const found: Finding[] = [];
      let played = 0;
      for (const each of inCurrencies(subject))
        for (const modification of modificationsOn(each.own).filter(isModification)) {
          played += 1;
          const path = `sessions.${each.own.path}`;
          const name = nameOf(each.own, each.asked);
          try {
            const says = await wronglyDone(subject, each, modification);
            if (says !== undefined) found.push({ path, says: `${name}: ${says}` });
          } catch (error) {
            found.push({ path, says: `${name}, then ${modification}: ${textOf(error)}` });
          }
        }
      return played === 0 ? NO_MODIFICATION : found;
    },
  },
  {
    id: 'captures-are-final',
    level: 'required',
    title: 'a capture of a part does not ask the provider to keep the rest of the hold: no second capture follows',
    run(subject) {
      const found = new Map<string, Finding>();
      const captures = inCurrencies(subject).flatMap(capturesOfAPart);
      for (const { name, run, options } of captures)
        for (const request of walk(run, options).requests) {
          const at = keptAt(request);
          const path = `endpoints.${request.endpoint.name}`;
          const says = `${name}: a capture of a part asks to keep the rest of the hold (${at}). A hold is captured once: say that this capture is the last, so that the payer is free of the rest.`;
          if (at !== undefined) found.set(path, { path, says });
        }
      return captures.length === 0 ? notApplicable('No sample is of a capture in parts.') : [...found.values()];
    },
  },
  {
    id: 'requests-name-one-currency',
    level: 'required',
    title: 'no request names another currency of the method than that of its payment',
    run(subject) {
      const all = inEveryCurrency(subject).filter(({ own }) => (own.method.currencies?.length ?? 0) > 1);
      if (all.length === 0) return notApplicable('No sample is of a method with several currencies.');
      const found = new Map<string, Finding>();
      for (const each of all)
        for (const { name, run, options } of runsOf(each.own, each.own.deployment))
          for (const request of walk(run, options).requests) {
            const other = otherCurrency(each, request);
            const path = `endpoints.${request.endpoint.name}`;
            const says = `${name} of a payment in ${each.asked.currency} asks for ${other}. Take the currency from the amount of the context.`;
            if (other !== undefined && !found.has(path)) found.set(path, { path, says });
          }
      return [...found.values()];
    },
  },
];
