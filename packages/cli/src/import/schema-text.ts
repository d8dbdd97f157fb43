import { braces, brackets, called, type Doc, fieldName, hugged, laidOut, quoted } from './layout.ts';
import { camel, type FreeNames, unnumbered } from './names.ts';
import type { Questions } from './questions.ts';
import type { Field, ObjectShape, Shape } from './shape.ts';

/** The question about an object that a reply is, by the name of its schema; absent where its fields were named. */
export type Asks = ((name: string) => string) | undefined;

/** An object that no schema names is written where it stands, unless it is longer. */
const SHORT = 60;

/**
 * Writes the schemas of replies. Only types are checked: a text that is longer than the description says, or a number beyond its bounds, is
 * no reason to refuse a reply, which would leave a paid payment unknown.
 */
export class SchemaWriter {
  readonly #names: FreeNames;
  readonly #questions: Questions;
  readonly #written = new Map<string, string>();
  /** In an order in which each stands before it is used. */
  readonly declarations: string[] = [];
  /** Of the body that is written: another with the same name is called after it. */
  #owner = '';

  constructor(names: FreeNames, questions: Questions) {
    this.#names = names;
    this.#questions = questions;
  }

  /** The expression of a body. @param owner the endpoint */
  body(shape: Shape, hint: string, { asks, owner }: { readonly asks: Asks; readonly owner: string }): string {
    this.#owner = owner;
    const doc = this.#expression(shape, hint, asks);
    const text = laidOut(doc);
    // A reply is one word beside its status.
    return /^\w+$|^z\.unknown\(\)$/.test(text) ? text : this.#declared(camel(hint), doc);
  }

  #expression(shape: Shape, hint: string, asks?: Asks, exact = false): Doc {
    const plain = this.#plain(shape, hint, asks, exact);
    return shape.nullable && shape.kind !== 'open' ? [plain, '.nullable()'] : plain;
  }

  #plain(shape: Shape, hint: string, asks: Asks, exact: boolean): Doc {
    switch (shape.kind) {
      case 'object':
        return this.#object(shape, asks, exact);
      case 'list':
        return ['z', called('.array', this.#expression(shape.of, hint, asks))];
      case 'map':
        return ['z.record(z.string(), ', this.#expression(shape.of, hint), ')'];
      case 'text':
        return exact && shape.words !== undefined ? this.#words(shape.words, hint) : 'z.string()';
      case 'number':
        return shape.whole ? 'z.int()' : 'z.number()';
      case 'flag':
        return 'z.boolean()';
      case 'fixed':
        return exact
          ? `z.literal(${typeof shape.value === 'string' ? quoted(shape.value) : String(shape.value)})`
          : `z.${typeof shape.value}()`;
      case 'either':
        return this.#either(shape.of, hint, asks);
      case 'undecided':
        return this.#questions.value(shape.question);
      case 'open':
      case 'again':
        return 'z.unknown()';
    }
  }

  /** A provider adds words to an enumeration. So an unknown word must not refuse a whole reply, unless the word tells alternatives apart. */
  #words(words: readonly string[], hint: string): string {
    return this.#declared(camel(`${hint}-word`), ['z', hugged('.enum', brackets(words.map(quoted)))]);
  }

  #either(shapes: readonly Shape[], hint: string, asks: Asks): Doc {
    const options = shapes.map((shape) => laidOut(this.#expression(shape, hint, asks, true)));
    const [only = '', second] = new Set(options);
    return second === undefined ? only : ['z', hugged('.union', brackets([...new Set(options)]))];
  }

  /** @param exact one of several alternatives, which its words tell from the others */
  #object({ name, isUnnamed, fields }: ObjectShape, asks: Asks, exact: boolean): Doc {
    const kept = fields.filter((field) => field.kept);
    const members = kept.map((field): Doc => {
      const doc = this.#member(field, exact);
      return laidOut(doc) === field.name ? doc : [fieldName(field.name), ': ', doc];
    });
    const wanted = camel(isUnnamed ? name : unnumbered(name));
    const whole: Doc = ['z', hugged('.object', braces(members))];
    const [first] = kept;
    if (first === undefined || (asks === undefined && isUnnamed && laidOut(whole).length <= SHORT)) return whole;
    if (asks === undefined) return this.#declared(wanted, whole);
    const all = this.#declared(`${wanted}Fields`, whole);
    const free = all.replace(/Fields(?=\d*$)/, '');
    // In place of the first field: a mask that is no object of its own compiles.
    const mask = braces([[`${fieldName(first.name)}: `, this.#questions.value(asks(free))]]);
    return this.#declared(free, hugged(`${all}.pick`, mask));
  }

  #member({ name, shape, required }: Field, exact: boolean): Doc {
    if (required || shape.kind === 'undecided') return this.#expression(shape, name, undefined, exact);
    return [this.#plain(shape, name, undefined, exact), shape.nullable ? '.nullish()' : '.optional()'];
  }

  /** The name of a constant. The same value under the same name is written once. */
  #declared(wanted: string, doc: Doc): string {
    const identity = `${wanted} ${laidOut(doc)}`;
    const known = this.#written.get(identity);
    if (known !== undefined) return known;
    const name = this.#names.take(wanted, camel(`${this.#owner}-${wanted}`));
    this.#written.set(identity, name);
    this.declarations.push(laidOut([`const ${name} = `, doc, ';']));
    return name;
  }
}
