/** Shared by every copy of this package, so that a literal made by one copy is known to another. */
const mark = Symbol.for('railyard.json-number');

/** The number grammar of JSON, without a sign and an exponent. */
const grammar = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * A number of a JSON body, kept as its exact digits: a body holding `new JsonNumberLiteral('10.50')` is sent with `10.50`,
 * not with the float 10.5.
 *
 * @throws RangeError when the text is not a JSON number.
 */
export class JsonNumberLiteral {
  readonly literal: string;

  constructor(literal: string) {
    if (!grammar.test(literal)) throw new RangeError(`"${literal.slice(0, 40)}" is not a JSON number`);
    this.literal = literal;
    Object.defineProperty(this, mark, { value: true });
  }

  /** Also true for a literal made by another copy of this package, which `instanceof` would miss. */
  static is(value: unknown): value is JsonNumberLiteral {
    return typeof value === 'object' && value !== null && mark in value;
  }
}
