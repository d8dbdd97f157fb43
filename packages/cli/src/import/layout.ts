/** A text that is laid out to a width: what fits stands in one line, what does not is broken as the common formatters break it. */
export type Doc =
  | string
  | readonly Doc[]
  | { readonly kind: 'group'; readonly of: Doc; readonly broken: boolean }
  | { readonly kind: 'indent'; readonly of: Doc }
  /** A break in the line, else this text. */
  | { readonly kind: 'line'; readonly flat: string }
  /** Written where the group around it is broken. */
  | { readonly kind: 'if-broken'; readonly text: string };

export const WIDTH = 120;

const line: Doc = { kind: 'line', flat: ' ' };
const softline: Doc = { kind: 'line', flat: '' };
const group = (of: Doc, broken = false): Doc => ({ kind: 'group', of, broken });
const indent = (of: Doc): Doc => ({ kind: 'indent', of });
const comma: Doc = { kind: 'if-broken', text: ',' };

/** The docs with something between them. */
export const between = (separator: Doc, docs: readonly Doc[]): Doc =>
  docs.map((doc, index) => (index === 0 ? doc : [separator, doc]));

/** `{ a, b }`. */
export const braces = (members: readonly Doc[], broken = false): Doc =>
  members.length === 0 ? '{}' : group(['{', indent([line, between([',', line], members)]), comma, line, '}'], broken);

/** `[a, b]`. */
export const brackets = (members: readonly Doc[], broken = false): Doc =>
  members.length === 0
    ? '[]'
    : group(['[', indent([softline, between([',', line], members)]), comma, softline, ']'], broken);

/** `f(a)`, whose argument stands within the brackets or in a line of its own. */
export const called = (name: string, argument: Doc): Doc =>
  group([name, '(', indent([softline, argument]), comma, softline, ')']);

/** `f(a, b)`. */
export const call = (name: string, given: readonly Doc[]): Doc => called(name, between([',', line], given));

/** `f({ … })`, whose braces stay with the brackets. */
export const hugged = (name: string, argument: Doc): Doc => [name, '(', argument, ')'];

/** `name: 'text'`, the text in a line of its own where it is long. */
export const valueBelow = (name: string, value: Doc): Doc => group([name, indent([line, value])]);

/** A member with a comment in the line above it; the braces around it must be broken. */
export const noted = (comment: string, member: Doc): Doc => [comment, { kind: 'line', flat: ' ' }, member];

/** `{ a; b }` of a type. */
export const members = (each: readonly Doc[]): Doc =>
  group(['{', indent([line, between([';', line], each)]), { kind: 'if-broken', text: ';' }, line, '}']);

/** `a | b`. */
export const union = (each: readonly Doc[]): Doc =>
  each.length === 1
    ? (each[0] ?? '')
    : group(indent([softline, { kind: 'if-broken', text: '| ' }, between([line, '| '], each)]));

/** `readonly (a | b)[]`. */
export const listOfUnion = (each: readonly Doc[]): Doc =>
  group([
    'readonly (',
    indent([softline, { kind: 'if-broken', text: '| ' }, between([line, '| '], each)]),
    softline,
    ')[]',
  ]);

/** `(a, b)` of a function; a single one stays with the brackets. */
export const parameters = (each: readonly Doc[]): Doc =>
  each.length === 1
    ? ['(', each, ')']
    : group(['(', indent([softline, between([',', line], each)]), comma, softline, ')']);

/** A text in quotes, as formatters choose them. */
export function quoted(text: string): string {
  const json = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return text.includes("'") && !text.includes('"') ? `"${json}"` : `'${json.replaceAll("'", "\\'")}'`;
}

const NAME = /^[A-Za-z_$][\w$]*$/;

/** The name of a field, in quotes where it needs them. */
export const fieldName = (name: string): string => (NAME.test(name) ? name : quoted(name));

interface Item {
  readonly doc: Doc;
  readonly depth: number;
  readonly broken: boolean;
}

/** Lays a doc out. @param before letters that stand in its first line already */
export function laidOut(doc: Doc, before = 0): string {
  let text = '';
  let column = before;
  const waiting: Item[] = [{ doc, depth: 0, broken: true }];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const { doc: each, depth, broken } = item;
    if (typeof each === 'string') {
      text += each;
      column += each.length;
    } else if (!('kind' in each)) waiting.push(...each.map((one) => ({ doc: one, depth, broken })).toReversed());
    else if (each.kind === 'indent') waiting.push({ doc: each.of, depth: depth + 1, broken });
    else if (each.kind === 'group') {
      const flat = { doc: each.of, depth, broken: false };
      const isFlat = !mustBreak(each) && fits([...waiting, flat], WIDTH - column);
      waiting.push(isFlat ? flat : { ...flat, broken: true });
    } else if (each.kind === 'if-broken') {
      if (broken) waiting.push({ doc: each.text, depth, broken });
    } else if (broken) {
      column = depth * 2;
      text = `${text.trimEnd()}\n${' '.repeat(column)}`;
    } else {
      text += each.flat;
      column += each.flat.length;
    }
  }
  return text;
}

/** Whether what comes next, to the end of its line, has room. */
function fits(items: readonly Item[], room: number): boolean {
  const waiting = [...items];
  let left = room;
  for (let item = waiting.pop(); item !== undefined && left >= 0; item = waiting.pop()) {
    const { doc, depth, broken } = item;
    if (typeof doc === 'string') left -= doc.length;
    else if (!('kind' in doc)) waiting.push(...doc.map((one) => ({ doc: one, depth, broken })).toReversed());
    else if (doc.kind === 'if-broken') left -= broken ? doc.text.length : 0;
    else if (doc.kind === 'line') {
      if (broken) return true;
      left -= doc.flat.length;
    } else waiting.push({ doc: doc.of, depth, broken });
  }
  return left >= 0;
}

function mustBreak(doc: Doc): boolean {
  if (typeof doc === 'string') return false;
  if (!('kind' in doc)) return doc.some(mustBreak);
  if (doc.kind === 'group') return doc.broken || mustBreak(doc.of);
  return doc.kind === 'indent' && mustBreak(doc.of);
}
