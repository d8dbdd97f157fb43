import type { NumberShape, ObjectShape, Shape, TextShape } from './shape.ts';
import { isText, textFor } from './text-for.ts';

/** A value, or what a person must decide where none can be made. */
export class NoSample {
  readonly question: string;

  constructor(question: string) {
    this.question = question;
  }
}

export type Sample =
  | string
  | number
  | boolean
  | null
  | NoSample
  | readonly Sample[]
  | { readonly [name: string]: Sample };

/** Of a list or a map that the description shows, so much is written. */
const MOST_SHOWN = 2;
/** A longer text is a picture or a token, and shows a reader nothing. */
const LONGEST = 300;

type Given = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A value of this shape: the description's own, as far as it fits, else a value made from the types.
 *
 * @param name the field, which a text without further rules repeats
 * @param shown a value of the whole that is shown with this one in it
 */
export function sampleOf(shape: Shape, name: string, shown?: unknown): Sample {
  const given = shown === undefined ? shape.shown : shown;
  if (given === null && shape.nullable) return null;
  switch (shape.kind) {
    case 'object':
      return objectSample(shape, name, { given, isWhole: shown !== undefined });
    case 'list': {
      const items = Array.isArray(given) ? given.slice(0, Math.max(MOST_SHOWN, shape.min ?? 0)) : [];
      if (items.length > 0 && items.length >= (shape.min ?? 0))
        return items.map((each) => sampleOf(shape.of, name, each));
      if (Array.isArray(given) && given.length === 0 && (shape.min ?? 0) === 0) return [];
      const isEmpty = shape.of.kind === 'again' || shape.max === 0;
      const length = isEmpty ? (shape.min ?? 0) : Math.max(1, shape.min ?? 1);
      return Array.from({ length }, () => sampleOf(shape.of, name));
    }
    case 'map': {
      const entries = Object.entries(isRecord(given) ? given : {}).slice(0, MOST_SHOWN);
      if (entries.length === 0) return { [name]: sampleOf(shape.of, name) };
      return Object.fromEntries(entries.map(([key, each]) => [key, sampleOf(shape.of, key, each)]));
    }
    case 'text':
      return textSample(shape, name, given);
    case 'number':
      return typeof given === 'number' && isNumber(shape, given) ? given : numberSample(shape, name);
    case 'flag':
      return typeof given === 'boolean' ? given : true;
    case 'fixed':
      return shape.value;
    case 'either': {
      const [first] = shape.of;
      const fitting = given === undefined ? first : shape.of.find((each) => fits(each, given));
      return fitting === undefined
        ? first === undefined
          ? null
          : sampleOf(first, name)
        : sampleOf(fitting, name, given);
    }
    case 'undecided':
      return sampleOf(shape.example, name, given);
    case 'open':
      return given === undefined ? (shape.nullable ? null : name) : asSample(given, name);
    case 'again':
      return shape.nullable ? null : new NoSample(`${name}: a value of ${shape.name}, which holds itself`);
  }
}

/** @param isWhole the value is one exchange: a field that it leaves out was not there */
function objectSample(
  { fields, example }: ObjectShape,
  name: string,
  { given, isWhole }: { readonly given: unknown; readonly isWhole: boolean },
): Sample {
  if (example !== undefined) return sampleOf(example, name, given);
  const record = isRecord(given) ? given : undefined;
  const values = fields
    .filter((field) => field.required || record === undefined || !isWhole || Object.hasOwn(record, field.name))
    .map((field) => ({ ...field, value: sampleOf(field.shape, field.name, record?.[field.name]) }));
  const kept = values.filter(({ required, shape: of, value }) => required || !(isSentence(of) || isLacking(value)));
  return Object.fromEntries(kept.map(({ name: field, value }) => [field, value]));
}

/** Whether a value is of a shape, as far as alternatives are told apart by it. */
function fits(shape: Shape, value: unknown): boolean {
  if (value === null) return shape.nullable;
  switch (shape.kind) {
    case 'object':
      return (
        isRecord(value) &&
        shape.fields.every(({ name, required, shape: of }) =>
          value[name] === undefined ? !required : fits(of, value[name]),
        )
      );
    case 'list':
      return Array.isArray(value) && value.every((each) => fits(shape.of, each));
    case 'map':
      return isRecord(value);
    case 'text':
      return typeof value === 'string' && isWanted(shape, value);
    case 'number':
      return typeof value === 'number' && isNumber(shape, value);
    case 'flag':
      return typeof value === 'boolean';
    case 'fixed':
      return value === shape.value;
    case 'either':
      return shape.of.some((each) => fits(each, value));
    default:
      return true;
  }
}

function asSample(value: unknown, name: string): Sample {
  if (Array.isArray(value)) return value.slice(0, MOST_SHOWN).map((each) => asSample(each, name));
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asSample(each, key)]));
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  return typeof value === 'string' && value.length <= LONGEST ? value : name;
}

/** Whether something in a value is for a person to make. */
function isLacking(value: Sample): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof NoSample || Object.values(value).some(isLacking);
}

/** Some descriptions fix the message of an error. Sentences of a description are not copied. */
const isSentence = (shape: Shape): boolean =>
  shape.kind === 'fixed' && typeof shape.value === 'string' && shape.value.split(' ').length > 2;

function isWanted({ words, ...rules }: TextShape, text: string): boolean {
  return words === undefined ? text.length <= LONGEST && isText(rules, text) : words.includes(text);
}

function textSample(shape: TextShape, name: string, given: unknown): Sample {
  // YAML reads 0123 and true without quotes as what they are not.
  const shown = typeof given === 'number' ? String(given) : given;
  if (typeof shown === 'string' && isWanted(shape, shown)) return shown;
  const { words = [], pattern, format = 'text' } = shape;
  const rule = pattern === undefined ? `${format} of its length` : `text that the pattern ${pattern} takes`;
  // A value that is shown and breaks its own rule shows that the rule is wrong.
  const made = words[0] ?? textFor(shape, name) ?? (typeof shown === 'string' ? shown : undefined);
  return made ?? new NoSample(`${name}: a ${rule}`);
}

function isNumber({ whole, values, min, max, above, below, step }: NumberShape, value: number): boolean {
  if (values !== undefined) return values.includes(value);
  const times = step === undefined ? 1 : value / step;
  const isStep = step === undefined || Math.abs(times - Math.round(times)) < 1e-6;
  const isWithin = value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  const isBetween = value > (above ?? -Infinity) && value < (below ?? Infinity);
  return isStep && isWithin && isBetween && (!whole || Number.isInteger(value));
}

function numberSample(
  { whole, values, min, max, above, below, step = whole ? 1 : undefined }: NumberShape,
  name: string,
): Sample {
  const [value] = values ?? [];
  if (value !== undefined) return value;
  const unit = step ?? 1;
  const least = Math.max(min ?? -Infinity, above === undefined ? -Infinity : above + unit);
  const most = Math.min(max ?? Infinity, below === undefined ? Infinity : below - unit);
  const near = Math.min(Math.max(unit, least), most);
  const found = Math.ceil(near / unit) * unit <= most ? Math.ceil(near / unit) * unit : Math.floor(most / unit) * unit;
  const fitting = found >= least && found <= most ? found : near;
  return fitting >= least && fitting <= most ? fitting : new NoSample(`${name}: a number within its bounds`);
}
