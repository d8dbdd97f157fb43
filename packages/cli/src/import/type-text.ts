import { type Doc, fieldName, laidOut, listOfUnion, members, quoted, union } from './layout.ts';
import { type FreeNames, pascal, unnumbered } from './names.ts';
import type { Questions } from './questions.ts';
import type { ObjectShape, Shape, TextShape } from './shape.ts';

/** More words would hide the field that has them. */
const FEW = 6;

/** Writes the types of requests, each object as one of its own. They are aliases: an interface would not fit among `WireValue`. */
export class TypeWriter {
  readonly #names: FreeNames;
  readonly #questions: Questions;
  readonly #written = new Map<string, string>();
  readonly declarations: string[] = [];
  usesNumber = false;
  /** Of the body that is written: another with the same name is called after it. */
  #owner = '';

  constructor(names: FreeNames, questions: Questions) {
    this.#names = names;
    this.#questions = questions;
  }

  /** @param owner the endpoint */
  body(shape: Shape, hint: string, owner: string): string {
    this.#owner = owner;
    const doc = this.#type(shape, hint);
    const text = laidOut(doc);
    return /^[\w.]+$/.test(text) ? text : this.#declared(pascal(hint), doc);
  }

  #type(shape: Shape, hint: string): Doc {
    if (!shape.nullable || shape.kind === 'open') return this.#plain(shape, hint);
    return union([...this.#alternatives(shape, hint), 'null']);
  }

  #plain(shape: Shape, hint: string): Doc {
    switch (shape.kind) {
      case 'object':
        return this.#object(shape);
      case 'list':
        return this.#list(shape.of, hint);
      case 'map':
        return ['Readonly<Record<string, ', this.#type(shape.of, hint), '>>'];
      case 'text':
        return this.#text(shape, hint);
      case 'number':
        return shape.values === undefined ? this.#number() : union(this.#alternatives(shape, hint));
      case 'flag':
        return 'boolean';
      case 'fixed':
        return typeof shape.value === 'string' ? quoted(shape.value) : String(shape.value);
      case 'either':
        return union(this.#alternatives(shape, hint));
      case 'undecided':
        return this.#questions.type(shape.question);
      case 'open':
        return this.#questions.type(`${hint}: what it holds`);
      case 'again':
        return this.#questions.type(`${hint}: how deep ${shape.name} holds itself`);
    }
  }

  /** Many words are a type of their own, which each place names. */
  #text(shape: TextShape & Shape, hint: string): Doc {
    if (shape.words === undefined) return 'string';
    const words = union(shape.words.map(quoted));
    return shape.words.length <= FEW ? words : this.#declared(pascal(shape.name ?? hint), words, laidOut(words));
  }

  #list(of: Shape, hint: string): Doc {
    const parts = [...this.#alternatives(of, hint), ...(of.nullable && of.kind !== 'open' ? ['null'] : [])];
    return parts.length === 1 ? ['readonly ', parts[0] ?? '', '[]'] : listOfUnion(parts);
  }

  /** Types that a value may have, `null` aside. */
  #alternatives(shape: Shape, hint: string): readonly Doc[] {
    if (shape.kind === 'either') return [...new Set(shape.of.map((each) => laidOut(this.#type(each, hint))))];
    if (shape.kind === 'text' && shape.words !== undefined && shape.words.length <= FEW) return shape.words.map(quoted);
    if (shape.kind === 'number' && shape.values !== undefined) return shape.values.map(String);
    return [this.#plain(shape, hint)];
  }

  #number(): Doc {
    this.usesNumber = true;
    return 'Numeric';
  }

  #object({ name, isUnnamed, fields }: ObjectShape): Doc {
    const kept = fields.filter((field) => field.kept);
    const lines = kept.map(({ name: field, shape, required }): Doc => {
      const type = this.#type(shape, field);
      return [`readonly ${fieldName(field)}${required ? '' : '?'}: `, type];
    });
    return this.#declared(
      pascal(isUnnamed ? name : unnumbered(name)),
      kept.length === 0 ? 'Readonly<Record<string, never>>' : members(lines),
    );
  }

  /** @param identity two declarations with the same one share a name. Default: name and text, because fields that are alike may mean different things */
  #declared(wanted: string, doc: Doc, identity = `${wanted} ${laidOut(doc)}`): string {
    const known = this.#written.get(identity);
    if (known !== undefined) return known;
    const name = this.#names.take(wanted, pascal(`${this.#owner}-${wanted}`));
    this.#written.set(identity, name);
    this.declarations.push(laidOut([`export type ${name} = `, doc, ';']));
    return name;
  }
}
