/** How a reply can differ from what its connector declares. */
export const DRIFT_KINDS = [
  /** A reply as it is declared: the others are counted against it. */
  'reply',
  /** A field that neither the reply's schema nor a sample of it names. */
  'unnamed-field',
  /** A field that the schema names as optional, and that is not there. */
  'missing-optional',
  /** A field that is required and not there: the reply is refused. */
  'missing-required',
  /** A field of another form than the schema asks for: the reply is refused. */
  'other-form',
  /** A reply of a status that no variant declares, or that its schema refuses: the names of its fields at the top. */
  'error-shape',
  /** A status word that the connector's table does not have. */
  'status-word',
] as const;

export type DriftKind = (typeof DRIFT_KINDS)[number];

/**
 * Something seen in a reply of a provider. It holds names and never values: names of the protocol, statuses of HTTP, kinds of JSON.
 */
export interface Sighting {
  readonly connector: string;
  /** Of the connector's package. */
  readonly version: string;
  /** `{notification}`: a status word that came in a notification. */
  readonly endpoint: string;
  readonly kind: DriftKind;
  /** The variant that the reply is; empty where none is, and for a word. */
  readonly reply: string;
  /** The HTTP status of a reply that was refused; 0 for all others. */
  readonly status: number;
  /** A path (`items[].fee`), a word, or the names of an error shape (`code,message`); empty for a reply. */
  readonly place: string;
  /** The kind of JSON that stood there, of each name of an error shape: `string`, `number,object`; empty where nothing stands. */
  readonly form: string;
}

/** How often, and when, in milliseconds since 1970. */
export interface DriftCount extends Sighting {
  readonly seen: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
}

/** In place of an endpoint's name, which has no braces. */
export const NOTIFICATION = '{notification}';
