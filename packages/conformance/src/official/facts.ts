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
  /** Whole values by their names, where annotations are kept; the only one may have none. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

export interface ReplyFacts {
  readonly headers: readonly string[];
  /** Where the body is no JSON. */
  readonly contentType?: string;
  readonly body?: FactSchema;
  /** As those of a request's body. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

export interface OperationFacts {
  readonly parameters: readonly ParameterFacts[];
  readonly request?: BodyFacts;
  /** By status, or `default`. */
  readonly replies: Readonly<Record<string, ReplyFacts>>;
  /** Ways to be let in, each all of these schemes with their scopes; one of the ways is enough. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

/** How a provider lets callers in: an OpenAPI Security Scheme Object without its sentences. */
export interface SecurityFacts {
  readonly type: string;
  /** Of `apiKey`: where the key goes, and the name that it has there. */
  readonly in?: string;
  readonly name?: string;
  /** Of `http`, in lower case: `basic`, `bearer`. */
  readonly scheme?: string;
  /** Of `oauth2`: the address of the token endpoint by flow, empty where the flow has none. */
  readonly flows?: Readonly<Record<string, string>>;
}

/**
 * The facts of an official description that a connector is checked against: names, types, required fields, lengths, patterns and
 * enumerations. No sentence and no example of the description is kept, unless they are asked for: a description may not be copied into a repository.
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
  /** References that lead out of the description: nothing is known of the values there. */
  readonly elsewhere?: readonly string[];
  /** Addresses of the API; places of an address have their default. Absent where the description names none. */
  readonly servers?: readonly string[];
  /** The schemes that the operations name. */
  readonly security?: Readonly<Record<string, SecurityFacts>>;
}
