import type { Correction } from './corrections.ts';

/** A JSON Schema of the 2020-12 draft, reduced to what a value must look like. */
export type FactSchema = boolean | { readonly [keyword: string]: unknown };

/** A value beside the body: a header, a place of the path, a field of the query. */
export interface ParameterFacts {
  readonly name: string;
  readonly in: 'header' | 'path' | 'query';
  readonly required: boolean;
  readonly schema: FactSchema;
}

export interface BodyFacts {
  readonly contentType: string;
  readonly required: boolean;
  readonly schema: FactSchema;
}

export interface ReplyFacts {
  readonly headers: readonly string[];
  readonly body?: FactSchema;
}

export interface OperationFacts {
  readonly parameters: readonly ParameterFacts[];
  readonly request?: BodyFacts;
  /** By status, or `default`. */
  readonly replies: Readonly<Record<string, ReplyFacts>>;
}

/**
 * The facts of an official description that a connector is checked against: names, types, required fields, lengths, patterns and
 * enumerations. No sentence and no example of the description is kept.
 */
export interface Facts {
  readonly source: string;
  readonly version: string;
  readonly licence: string;
  /** Defects of the description; the schemas here are as corrected. */
  readonly corrections: readonly Correction[];
  /** By method and path as the description writes them: `PUT /cob/{txid}`. A notification is `POST` and its name. */
  readonly operations: Readonly<Record<string, OperationFacts>>;
  readonly schemas: Readonly<Record<string, FactSchema>>;
}
