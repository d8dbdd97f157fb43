import { nearest } from '../output/nearest.ts';
import { UsageError } from '../commands/command.ts';

/** Who writes the value: a request is ours, a reply the provider's. */
export type Direction = 'request' | 'reply';

/** Facts about a field by which it is decided whether it is written. */
interface Known {
  readonly required: boolean;
  /** Neither an object nor a list of objects. */
  readonly leaf: boolean;
}

/**
 * The fields that are written. Requests have the required fields, replies the fields that a flow may read. Where no fields are named,
 * an optional field is written if it has a single value: unwanted objects would fill pages.
 */
export class Selection {
  readonly #names: readonly string[];
  readonly #met = new Set<string>();
  /** Fields that the description has and that are not written, by what they stand in. */
  readonly leftOut = new Map<string, Set<string>>();

  /** @param names dotted, without the places of lists: `data.status` */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  get isNamed(): boolean {
    return this.#names.length > 0;
  }

  /** Whether a name leads to what is below this place. */
  leadsThrough(path: string): boolean {
    return this.#names.some((name) => path === '' || name.startsWith(`${path}.`));
  }

  /** Whether a name is this place, or leads to it or through it. */
  names(path: string): boolean {
    return this.#names.some((name) => name === path || name.startsWith(`${path}.`) || path.startsWith(`${name}.`));
  }

  keeps(path: string, direction: Direction, { required, leaf }: Known, of: string): boolean {
    this.#met.add(path);
    const kept = this.#isKept(path, direction, { required, leaf });
    if (!kept) this.leftOut.set(of, (this.leftOut.get(of) ?? new Set()).add(path));
    return kept;
  }

  #isKept(path: string, direction: Direction, { required, leaf }: Known): boolean {
    if (!this.isNamed) return required || leaf;
    if (this.#names.includes(path) || this.leadsThrough(path)) return true;
    if (direction === 'request' && required) return true;
    return this.#names.some((name) => path.startsWith(`${name}.`)) && (required || leaf);
  }

  /** @throws UsageError for a name that stands in no request and no reply */
  refuseUnknown(): void {
    for (const name of this.#names) {
      if (this.#met.has(name)) continue;
      const near = nearest(name, [...this.#met]);
      throw new UsageError(
        `No request and no reply of these operations has the field "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`} Names are dotted and leave out the places of lists: data.status.`,
      );
    }
  }
}
