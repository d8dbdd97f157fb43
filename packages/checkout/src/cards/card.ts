import { TEXTS, field, type FieldInfo, type Operation } from '@railyard/core';
import {
  ALL_BRANDS,
  brandOf,
  choiceOf,
  codeOf,
  cvvProblem,
  digitsOf,
  expiryProblem,
  nameProblem,
  numberProblem,
  readExpiry,
  type CardProblem,
  type CoBrands,
} from '../rules/browser/card-rules.js';
import { issue, type Issue } from '@railyard/core/protocol';
import { fieldInfo } from '@railyard/core/registry';
import * as z from 'zod';
import type { PlainCard, SavedCard } from './vault.ts';
import type { StoredCard } from '../storage/index.ts';

/** The texts of the reference (Checkout page) and, for what is left empty, of the protocol. */
export const CARD_TEXTS = {
  blank: TEXTS.blank,
  number: 'Invalid card number',
  brand: 'Bad Request. Brand of card does not support.',
  expiry: 'The expiration date of card is expired and not valid.',
  cvv: 'Invalid security code',
  name: 'The name on card field Must contain at least 2 words: first name and last name.',
  latin: 'Write the name in Latin letters, as on the card.',
  nameLength: 'Write the name in 32 characters or less, as on the card.',
} as const satisfies Record<CardProblem, string>;

/** The facts that decide which fields of a card are asked for, and which values they take. */
export interface CardRequirements {
  readonly operation: Operation;
  /** Whether the card that is paid to is asked as well. */
  readonly payee: boolean;
  /** The saved card that is used; without one a new card is asked. */
  readonly saved: SavedCard | undefined;
  /** Names of the networks that the account takes. */
  readonly taken: readonly string[];
  /** Ranges of numbers with several networks that are taken. */
  readonly coBrands: readonly CoBrands[];
  /** Whether one word may be the whole name on the card. */
  readonly oneWordName: boolean;
  /** The name comes with the payment, and not with what is entered. */
  readonly namedLater?: true;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The payer's valid card entries. */
export interface CardEntry {
  readonly card: PlainCard;
  /** Never kept: it goes into memory, for this attempt alone. */
  readonly cvv: string | undefined;
  /** Of an authentication that was done elsewhere; never kept either. */
  readonly cryptogram?: string;
  /** The card that is paid to, of which only the number is known. */
  readonly payee?: PlainCard;
}

type CardField = 'number' | 'brand' | 'expiry' | 'cvv' | 'name' | 'payee';

/** A payout asks for no code; with a saved card only what proves it or is needed again is asked (protocol: Credit with a saved token). */
export function cardFields(requirements: CardRequirements): readonly CardField[] {
  return requirements.payee ? [...ownFields(requirements), 'payee'] : ownFields(requirements);
}

function ownFields({ operation, saved, namedLater, coBrands }: CardRequirements): readonly CardField[] {
  const brand = coBrands.some(({ brands }) => brands.length > 1) ? (['brand'] as const) : [];
  if (saved !== undefined) return operation === 'credit' ? ['expiry'] : [...brand, 'cvv'];
  const name = namedLater === true ? [] : (['name'] as const);
  return operation === 'credit' ? ['number', 'expiry', ...name] : ['number', ...brand, 'expiry', 'cvv', ...name];
}

/** The path of a card's input on the page. */
const pathOf = (name: CardField): string => `card.${name}`;

/** A text that one of the rules is asked about. */
const ruled = (problemOf: (text: string) => CardProblem | undefined) =>
  z.string(CARD_TEXTS.blank).check((context) => {
    const problem = problemOf(context.value);
    if (problem !== undefined)
      context.issues.push({ code: 'custom', input: context.value, message: CARD_TEXTS[problem] });
  });

/** The rules of the card's fields, with their labels (reference: Checkout page). */
function cardSchema(requirements: CardRequirements, brands: readonly string[], brand: string | undefined) {
  const all = {
    number: field(
      ruled((text) => numberProblem(text, requirements.taken, requirements.coBrands)),
      { label: 'Card number', input: 'digits', autocomplete: 'cc-number' },
    ),
    brand: field(
      z.string().refine((name) => name === '' || brands.includes(name), TEXTS.choice),
      { label: 'Card brand, if the card has several', input: 'select', autocomplete: 'off' },
    ),
    expiry: field(
      ruled((text) => expiryProblem(text, requirements.now)),
      { label: 'Expiry Date', help: 'MM / YY', input: 'digits', autocomplete: 'cc-exp' },
    ),
    cvv: field(
      ruled((text) => cvvProblem(text, brand)),
      { label: 'Security code', input: 'digits', autocomplete: 'cc-csc' },
    ),
    name: field(
      ruled((text) => nameProblem(text, requirements.oneWordName)),
      { label: 'Name on card', input: 'text', autocomplete: 'cc-name' },
    ),
    payee: field(
      ruled((text) => numberProblem(text, ALL_BRANDS)),
      { label: 'Card number of the receiver', input: 'digits', autocomplete: 'off' },
    ),
  };
  return z.object(Object.fromEntries(cardFields(requirements).map((name) => [name, all[name]])));
}

/** The inputs of the card form, by the paths of their names. */
export function cardInputs(
  requirements: CardRequirements,
): readonly { readonly path: string; readonly info: FieldInfo }[] {
  return Object.entries(cardSchema(requirements, [], undefined).shape).map(([name, schema]) => ({
    path: `card.${name}`,
    info: fieldInfo(schema, name),
  }));
}

export type ReadCard =
  | { readonly ok: true; readonly entry: CardEntry }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Reads what was entered into the card form.
 *
 * @param entered by path: `card.number`, `card.brand`, `card.expiry`, `card.cvv`, `card.name`
 * @param open gives number and holder of the saved card
 */
export function readCard(
  requirements: CardRequirements,
  entered: ReadonlyMap<string, string>,
  open: (saved: SavedCard) => PlainCard,
): ReadCard {
  const { saved } = requirements;
  const textOf = (name: CardField) => entered.get(pathOf(name))?.trim();
  const opened = saved && open(saved);
  const number = opened?.number ?? digitsOf(textOf('number') ?? '');
  const choices = choiceOf(number, requirements.coBrands);
  const shown = brandOf(number)?.name;
  const sent = textOf('brand');
  // An account with one network does not ask for it. A frame may have offered those of several accounts.
  const isAsked = cardFields(requirements).includes('brand');
  const chosen = (isAsked ? sent : choices?.find((name) => name === sent)) || undefined;
  const brand = choices === undefined ? shown : (chosen ?? choices[0]);
  const isChosen = chosen !== undefined || saved?.kept.brandChosenBy === 'payer';
  const given = Object.fromEntries(cardFields(requirements).map((name) => [name, textOf(name) ?? '']));
  const parsed = cardSchema(requirements, choices ?? [shown ?? ''], brand).safeParse(given);
  if (!parsed.success)
    return {
      ok: false,
      issues: parsed.error.issues.map(({ path, message }) => issue(`card.${path.join('.')}`, message)),
    };
  const expiry = readExpiry(textOf('expiry') ?? '');
  const dates = expiry && { expiryMonth: expiry.month, expiryYear: expiry.year };
  const code = textOf('cvv');
  const rest = {
    cvv: code ? codeOf(code) : undefined,
    ...(requirements.payee && { payee: payeeOf(textOf('payee') ?? '') }),
  };
  const network =
    choices && brand !== undefined && ({ brand, brandChosenBy: isChosen ? 'payer' : 'merchant' } as const);
  if (opened !== undefined) return { ok: true, entry: { card: { ...opened, ...network, ...dates }, ...rest } };
  if (dates === undefined || brand === undefined) throw new Error('A card that was checked has a network and a date.');
  return { ok: true, entry: { card: { number, brand, ...network, ...dates, holder: textOf('name') ?? '' }, ...rest } };
}

/** A card of which only the number is known. */
export function payeeOf(text: string): PlainCard {
  const number = digitsOf(text);
  return { number, brand: brandOf(number)?.name ?? '', expiryMonth: '', expiryYear: '', holder: '' };
}

/** A card as it is shown outside: `411111******1111` and `12/2030` (reference: Callback, Fields). */
export function maskedCard({ firstSix, lastFour, expiryMonth, expiryYear }: StoredCard) {
  return {
    card: `${firstSix}******${lastFour}`,
    ...(expiryMonth !== null && { card_expiration_date: `${expiryMonth}/${expiryYear}` }),
  };
}
