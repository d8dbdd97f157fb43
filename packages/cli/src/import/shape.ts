interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** The form of a value of a description, its references followed and its parts put together. */
export type Shape = {
  readonly nullable: boolean;
  /** A value that the description shows. */
  readonly shown?: unknown;
} & (
  | ObjectShape
  | TextShape
  | NumberShape
  | ({ readonly kind: 'list'; readonly of: Shape } & Bounds)
  | { readonly kind: 'map'; readonly of: Shape }
  | { readonly kind: 'flag' }
  /** The one value that the description allows. */
  | { readonly kind: 'fixed'; readonly value: string | number | boolean }
  | { readonly kind: 'either'; readonly of: readonly Shape[] }
  /** Anything. */
  | { readonly kind: 'open' }
  /** A schema within itself, where it would begin anew. */
  | { readonly kind: 'again'; readonly name: string }
  /** So many alternatives that a person must choose. */
  | { readonly kind: 'undecided'; readonly question: string; readonly example: Shape }
);

export interface ObjectShape {
  readonly kind: 'object';
  readonly name: string;
  /** The place that it stands at gave it its name, no schema did. */
  readonly isUnnamed: boolean;
  readonly fields: readonly Field[];
  /** One of several alternatives that were written as this one object: a value of it is made as this one says. */
  readonly example?: Shape;
}

export type TextShape = {
  readonly kind: 'text';
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  readonly words?: readonly string[] | undefined;
  /** The schema that a reference named, and its sentence. */
  readonly name?: string | undefined;
  readonly says?: string | undefined;
} & Bounds;

export type NumberShape = {
  readonly kind: 'number';
  readonly whole: boolean;
  readonly above?: number | undefined;
  readonly below?: number | undefined;
  readonly step?: number | undefined;
  readonly values?: readonly number[] | undefined;
} & Bounds;

export interface Field {
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
  /** `false`: the description requires it and no flow reads it. It stands in samples alone. */
  readonly kept: boolean;
}
