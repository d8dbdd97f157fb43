import type { NumberShape, Shape, TextShape } from './shape.ts';
import { textFor } from './text-for.ts';

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

/** A value of this shape, made of its types alone. @param name the field, which a text without further rules repeats */
export function sampleOf(shape: Shape, name: string): Sample {
  switch (shape.kind) {
    case 'object': {
      if (shape.example !== undefined) return sampleOf(shape.example, name);
      const values = shape.fields.map((field) => ({ ...field, value: sampleOf(field.shape, field.name) }));
      const given = values.filter(
        ({ required, shape: of, value }) => required || !(isSentence(of) || isLacking(value)),
      );
      return Object.fromEntries(given.map(({ name: field, value }) => [field, value]));
    }
    case 'list': {
      const isEmpty = shape.of.kind === 'again' || shape.max === 0;
      const length = isEmpty ? (shape.min ?? 0) : Math.max(1, shape.min ?? 1);
      return Array.from({ length }, () => sampleOf(shape.of, name));
    }
    case 'map':
      return { [name]: sampleOf(shape.of, name) };
    case 'text':
      return textSample(shape, name);
    case 'number':
      return numberSample(shape, name);
    case 'flag':
      return true;
    case 'fixed':
      return shape.value;
    case 'either':
      return shape.of[0] === undefined ? null : sampleOf(shape.of[0], name);
    case 'undecided':
      return sampleOf(shape.example, name);
    case 'open':
      return shape.nullable ? null : name;
    case 'again':
      return shape.nullable ? null : new NoSample(`${name}: a value of ${shape.name}, which holds itself`);
  }
}

/** Whether something in a value is for a person to make. */
function isLacking(value: Sample): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof NoSample || Object.values(value).some(isLacking);
}

/** Some descriptions fix the message of an error. Sentences of a description are not copied. */
const isSentence = (shape: Shape): boolean =>
  shape.kind === 'fixed' && typeof shape.value === 'string' && shape.value.split(' ').length > 2;

function textSample({ words, ...rules }: TextShape, name: string): Sample {
  const [word] = words ?? [];
  const { pattern, format = 'text' } = rules;
  const rule = pattern === undefined ? `${format} of its length` : `text that the pattern ${pattern} takes`;
  return word ?? textFor(rules, name) ?? new NoSample(`${name}: a ${rule}`);
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
