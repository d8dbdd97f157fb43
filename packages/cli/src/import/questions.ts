import { called, type Doc, quoted } from './layout.ts';

/** Decisions that are left to a person, each as it stands in the written files: as a value and as a type. */
export class Questions {
  readonly #values = new Set<string>();
  readonly #types = new Set<string>();

  value(question: string): Doc {
    this.#values.add(question);
    return called('undecided', quoted(question));
  }

  type(question: string): string {
    this.#types.add(question);
    return `Undecided<${quoted(question)}>`;
  }

  get all(): readonly string[] {
    return [...this.#values, ...this.#types];
  }

  /** Names that a file with these questions imports from core. */
  get imports(): readonly string[] {
    return [...(this.#values.size > 0 ? ['undecided'] : []), ...(this.#types.size > 0 ? ['type Undecided'] : [])];
  }
}
