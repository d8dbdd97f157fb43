import {
  braces,
  brackets,
  called,
  chain,
  type Doc,
  fieldName,
  hugged,
  laidOut,
  type Link,
  link,
  quoted,
} from './layout.ts';
import { camel, type FreeNames } from './names.ts';
import type { Questions } from './questions.ts';
import type { Field, NumberShape, ObjectShape, Shape, TextShape } from './shape.ts';

/** An expression as a chain of calls: `z`, `.string()`, `.min(1)`. */
interface Expression {
  readonly base: Doc;
  readonly links: readonly Link[];
}

const zod = (...links: readonly (Link | string)[]): Expression => ({
  base: 'z',
  links: links.map((each) => (typeof each === 'string' ? link(each) : each)),
});
const iso = (call: string): Expression => ({ base: 'z.iso', links: [link(call)] });
const then = ({ base, links }: Expression, ...more: readonly Link[]): Expression => ({
  base,
  links: [...links, ...more],
});
const docOf = ({ base, links }: Expression): Doc => chain(base, links);

/** Formats of OpenAPI as zod calls them; the others are names and are not checked. */
const FORMATS: Readonly<Record<string, Expression>> = {
  'date-time': iso('.datetime({ offset: true })'),
  date: iso('.date()'),
  uuid: zod('.guid()'),
  email: zod('.email()'),
  uri: zod('.url()'),
  url: zod('.url()'),
  ipv4: zod('.ipv4()'),
  ipv6: zod('.ipv6()'),
};

/** The question about an object that a reply is, by the name of its schema; absent where its fields were named. */
export type Asks = ((name: string) => string) | undefined;

/** Writes the schemas of replies, each object as a constant of its own. */
export class SchemaWriter {
  readonly #names: FreeNames;
  readonly #questions: Questions;
  readonly #written = new Map<string, string>();
  /** In an order in which each stands before it is used. */
  readonly declarations: string[] = [];

  constructor(names: FreeNames, questions: Questions) {
    this.#names = names;
    this.#questions = questions;
  }

  /** The expression of a body. */
  body(shape: Shape, hint: string, asks: Asks): string {
    const doc = docOf(this.#expression(shape, hint, asks));
    const text = laidOut(doc);
    // A reply is one word beside its status.
    return /^\w+$|^z\.unknown\(\)$/.test(text) ? text : this.#declared(camel(hint), doc);
  }

  #expression(shape: Shape, hint: string, asks?: Asks, exact = false): Expression {
    const plain = this.#plain(shape, hint, asks, exact);
    return shape.nullable && shape.kind !== 'open' ? then(plain, link('.nullable()')) : plain;
  }

  #plain(shape: Shape, hint: string, asks: Asks, exact: boolean): Expression {
    switch (shape.kind) {
      case 'object':
        return { base: this.#object(shape, asks, exact), links: [] };
      case 'list':
        return then(
          zod(link(called('.array', docOf(this.#expression(shape.of, hint, asks))))),
          ...boundsOf(shape.min, shape.max),
        );
      case 'map':
        return zod(link(['.record(z.string(), ', docOf(this.#expression(shape.of, hint)), ')']));
      case 'text':
        return this.#text(shape, hint, exact);
      case 'number':
        return numberText(shape);
      case 'flag':
        return zod('.boolean()');
      case 'fixed':
        return exact
          ? zod(`.literal(${typeof shape.value === 'string' ? quoted(shape.value) : String(shape.value)})`)
          : zod(`.${typeof shape.value}()`);
      case 'either':
        return this.#either(shape.of, hint, asks);
      case 'undecided':
        return { base: this.#questions.value(shape.question), links: [] };
      case 'open':
      case 'again':
        return zod('.unknown()');
    }
  }

  /** A provider adds words to an enumeration: one that is not known is no reason to refuse a whole reply, unless it tells alternatives apart. */
  #text({ format, min, max, words }: TextShape, hint: string, exact: boolean): Expression {
    if (exact && words !== undefined) {
      const list = docOf(zod(link(hugged('.enum', brackets(words.map(quoted))))));
      return { base: this.#declared(camel(`${hint}-word`), list), links: [] };
    }
    const known = format === undefined ? undefined : FORMATS[format];
    if (known !== undefined) return then(known, ...boundsOf(min, max));
    return then(zod('.string()'), ...boundsOf(min, max));
  }

  #either(shapes: readonly Shape[], hint: string, asks: Asks): Expression {
    const options = shapes.map((shape) => laidOut(docOf(this.#expression(shape, hint, asks, true))));
    const [only = '', second] = new Set(options);
    return second === undefined
      ? { base: only, links: [] }
      : zod(link(hugged('.union', brackets([...new Set(options)]))));
  }

  /** @param exact one of several alternatives, which its words tell from the others */
  #object({ name, fields }: ObjectShape, asks: Asks, exact: boolean): string {
    const kept = fields.filter((field) => field.kept);
    const members = kept.map((field): Doc => {
      const doc = docOf(this.#member(field, exact));
      return laidOut(doc) === field.name ? doc : [fieldName(field.name), ': ', doc];
    });
    const wanted = camel(name);
    const question = asks?.(wanted);
    const whole = docOf(zod(link(hugged('.object', braces(members)))));
    const [first] = kept;
    if (question === undefined || first === undefined) return this.#declared(wanted, whole);
    const all = this.#declared(`${wanted}Fields`, whole);
    // In place of the first field: a mask that is no object of its own compiles.
    const mask = braces([[`${fieldName(first.name)}: `, this.#questions.value(question)]]);
    return this.#declared(wanted, hugged(`${all}.pick`, mask));
  }

  #member({ name, shape, required }: Field, exact: boolean): Expression {
    if (required || shape.kind === 'undecided') return this.#expression(shape, name, undefined, exact);
    return then(this.#plain(shape, name, undefined, exact), link(shape.nullable ? '.nullish()' : '.optional()'));
  }

  /** The name of a constant; what is the same is written once. */
  #declared(wanted: string, doc: Doc): string {
    const known = this.#written.get(laidOut(doc));
    if (known !== undefined) return known;
    const name = this.#names.take(wanted);
    this.#written.set(laidOut(doc), name);
    this.declarations.push(laidOut([`const ${name} = `, doc, ';']));
    return name;
  }
}

const boundsOf = (min = 0, max = Infinity): readonly Link[] => [
  ...(min === 0 ? [] : [link(`.min(${min})`)]),
  ...(max === Infinity ? [] : [link(`.max(${max})`)]),
];

function numberText({ whole, values, min, max, above, below, step }: NumberShape): Expression {
  if (values !== undefined) return zod(whole ? '.int()' : '.number()');
  const calls = Object.entries({ min, max, gt: above, lt: below, multipleOf: step });
  // A bound beyond what a number holds exactly says nothing.
  const said = calls.flatMap(([name, value]) =>
    value === undefined || !Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER
      ? []
      : [link(`.${name}(${value})`)],
  );
  return then(zod(whole ? '.int()' : '.number()'), ...said);
}
