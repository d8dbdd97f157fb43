/**
 * The place of a decision that is not made yet. No declaration takes it, so the compiler's complaint carries the question: its one
 * member is a function, which neither a policy, a status, a schema nor a field of a request may be.
 */
export interface Undecided<Question extends string> {
  readonly undecided: (question: Question) => never;
}

/**
 * Stands where a person must decide, as `railyard import` writes it. A file with it neither typechecks nor loads: the compiler lists every
 * question, and who does not typecheck meets the first one when the file is loaded. Write the decision in its place.
 *
 * @throws Error always, with the question
 * @example repeat: undecided('POST /charges: what is done after a time-out? safe, keyed, by-reference or once'),
 */
export function undecided<const Question extends string>(question: Question): Undecided<Question> {
  throw new Error(`Not decided yet: ${question}. Write the decision in place of undecided(…).`);
}
