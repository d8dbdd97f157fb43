import { braces, called, type Doc, fieldName, hugged, laidOut, noted, WIDTH } from './layout.ts';
import { camel, type FreeNames } from './names.ts';
import type { Questions } from './questions.ts';
import type { Shape, TextShape } from './shape.ts';

/** Fields in which providers write what became of a payment. */
const STATUS = /(?:status|state|result_?code)$/i;

/** Effects on money whose words mean different things: `PENDING` of a refund says nothing of the payment. */
const EFFECTS = [
  ['dispute', /dispute|chargeback/i],
  ['refund', /refund|devolu|repayment/i],
  ['capture', /captur/i],
  ['void', /\bvoid|cancel|revers/i],
  ['payout', /payout|disburse|withdraw|(?<!bank.?)\btransfers?\b/i],
] as const;

export type Effect = 'payment' | (typeof EFFECTS)[number][0];

/** The states that a word of an effect may say. */
const MEANINGS: Readonly<Record<Effect, string>> = {
  payment: 'pending, authorized, settled or a decline',
  capture: 'pending, settled or a decline',
  void: 'pending, settled or a decline',
  refund: 'pending, settled or a decline',
  payout: 'pending, settled or a decline',
  dispute: 'a dispute, a won one or a lost one',
};

/** One enumeration of words of a field that tells a state. */
interface Enumeration {
  readonly effect: Effect;
  readonly field: string;
  readonly words: readonly string[];
  readonly says?: string | undefined;
}

/** The enumerations of the status fields of some replies, a table for each. */
export class StatusTables {
  /** By the schema that has the words, else by effect and words. */
  readonly #all = new Map<string, Enumeration>();

  /** Takes the words that the description lists for the status fields of a reply. @param of the operation's path */
  read(shape: Shape, of: string): void {
    this.#read(shape, { name: '', owners: [of] });
  }

  #read(shape: Shape, { name, owners }: { readonly name: string; readonly owners: readonly string[] }): void {
    switch (shape.kind) {
      case 'object': {
        const own = shape.isUnnamed ? owners : [...owners, shape.name];
        for (const field of shape.fields)
          if (field.kept) this.#read(field.shape, { name: field.name, owners: [...own, field.name] });
        return;
      }
      case 'list':
        return this.#read(shape.of, { name, owners });
      case 'either':
        for (const each of shape.of) this.#read(each, { name, owners });
        return;
      case 'text':
        if (STATUS.test(name) && shape.words !== undefined) this.#take(shape, shape.words, name, owners);
        return;
      case 'fixed':
        if (STATUS.test(name) && typeof shape.value === 'string') this.#take({}, [shape.value], name, owners);
    }
  }

  #take(
    { name, says }: Pick<TextShape, 'name' | 'says'>,
    words: readonly string[],
    field: string,
    owners: readonly string[],
  ): void {
    const effect = effectOf(owners);
    const identity = name ?? `${effect} ${field}`;
    const known = this.#all.get(identity);
    const all = [...new Set([...(known?.words ?? []), ...words])];
    // Who cancels is answered with the state of the payment: the words are the payment's then.
    const isPayments = known !== undefined && [known.effect, effect].includes('payment');
    this.#all.set(identity, {
      effect: isPayments ? 'payment' : (known?.effect ?? effect),
      field,
      words: all,
      says: known?.says ?? says,
    });
  }

  /** The effects that have words of their own. */
  get effects(): readonly Effect[] {
    return [...new Set(this.#tables.map(({ effect }) => effect))];
  }

  /** A capture or a release that is answered with the payment's own words has no table. */
  get #tables(): readonly Enumeration[] {
    const all = [...this.#all.values()].toSorted((one, other) => rank(one) - rank(other));
    const known = all.filter(({ effect }) => effect === 'payment').flatMap(({ words }) => words);
    return all.filter(
      ({ effect, words }) =>
        !(effect === 'void' || effect === 'capture') || words.some((word) => !known.includes(word)),
    );
  }

  /** The tables, the payments' first. If no field has a state, a person names its words. */
  texts(questions: Questions, names: FreeNames): readonly string[] {
    const all = this.#tables;
    const texts = all.map((each, index) => {
      const longer = camel(`${each.effect}-${each.field}-statuses`);
      const isMain = index === 0 && each.effect === 'payment';
      return tableText(isMain ? 'statuses' : names.take(camel(`${each.effect}-statuses`), longer), each, questions);
    });
    const question = 'which words the provider has for the state of a payment, and what each says';
    return all.some(({ effect }) => effect === 'payment')
      ? texts
      : [laidOut(['export const statuses = ', called('statusTable', questions.value(question)), ';']), ...texts];
  }
}

const rank = ({ effect }: Enumeration): number => (effect === 'payment' ? 0 : 1);

/** The nearest name that says an effect: a list of refunds within a payment holds words of refunds. */
export function effectOf(owners: readonly string[]): Effect {
  for (const owner of owners.toReversed()) {
    const found = EFFECTS.find(([, pattern]) => pattern.test(owner));
    if (found !== undefined) return found[0];
  }
  return 'payment';
}

function tableText(name: string, { effect, words, says = '' }: Enumeration, questions: Questions): string {
  const of = effect === 'payment' ? '' : ` of a ${effect}`;
  const sentences = words.map((word) => sentenceOf(says, word));
  // A description that speaks of no word by itself stands above all of them.
  const above = sentences.every((each) => each === '') && says !== '' ? [commentOf(says)] : [];
  const rows = words.map((word, index): Doc => {
    const row = [`${fieldName(word)}: `, questions.value(`what ${word} says${of}: ${MEANINGS[effect]}`)];
    const sentence = sentences[index] ?? '';
    return sentence === '' ? row : noted(commentOf(sentence), row);
  });
  const table = laidOut([`export const ${name} = `, hugged('statusTable', braces(rows, true)), ';']);
  return [...above, table].join('\n');
}

/** The part of a description that speaks of one word: its line of a list, or its sentence. */
function sentenceOf(says: string, word: string): string {
  const lines = says.split(/\n|<br>|<br\/>|<li>/).filter((line) => names(line, word));
  const own = lines.flatMap((line) => explained(line, word) ?? [])[0];
  if (own !== undefined) return plain(own);
  const sentences = lines.flatMap((line) => line.split('. ')).filter((each) => names(each, word));
  // A sentence that lists many words says nothing of one.
  const [sentence = ''] = sentences.filter((each) => each.split('`').length < 5);
  return sentences.length === 1 && sentence !== '' ? `${plain(sentence).replace(/\.$/, '')}.` : '';
}

const isLetter = (letter = ''): boolean => /^\w$/.test(letter);

/** Whether a text holds a word that is no part of another. */
function names(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true;
  return false;
}

/** The rest of a line that explains a word, the item of a list or a row of a table. */
function explained(line: string, word: string): string | undefined {
  const item = line.trim();
  const bare = item.replace(/^[-*+|`"'_ ]+/, '');
  if (bare === item || !bare.startsWith(word) || isLetter(bare[word.length])) return undefined;
  return bare.slice(word.length).replace(/^[`"'*_ ]*(?:[-:|–—=.]|is |means )?/, '');
}

const plain = (text: string): string =>
  text
    .replaceAll(/<[^<>]*>|[`*|]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** As much of a text as a line has room for. */
function commentOf(text: string): string {
  const line = plain(text);
  const most = WIDTH - '  // …'.length;
  return `// ${line.length <= most ? line : `${line.slice(0, line.lastIndexOf(' ', most))} …`}`;
}
