import type { OperationFacts, ReplyFacts } from '@railyard/conformance/official';
import { UsageError } from '../commands/command.ts';
import { type Reading, shapeOf } from './shape-of.ts';
import type { Shape } from './shape.ts';

/** One reply of an operation. */
export interface DescribedReply {
  /** As the description writes it: `200`, `4XX`, `default`. */
  readonly status: string;
  /** Absent where the reply has no body. */
  readonly shape?: Shape;
  /** Bodies that the description shows, by their names. */
  readonly shown: Readonly<Record<string, unknown>>;
}

export interface Replies {
  readonly taken: readonly DescribedReply[];
  /** Statuses below 500 of which a person says whether nothing was taken. 429, and those from 500 on, are no answer. */
  readonly refused: readonly DescribedReply[];
}

/** Reads the replies of an operation. */
export function repliesOf(
  operation: string,
  { replies }: OperationFacts,
  readingOf: (of: string) => Reading,
  note: (text: string) => void,
): Replies {
  const statuses = Object.keys(replies);
  const isAny = (first: string) => statuses.some((status) => status.startsWith(first));
  const taken = statuses.filter((status) => status.startsWith('2') || (status === 'default' && !isAny('2')));
  // `default` stands for the statuses from 500 on too.
  const refused = statuses.filter(
    (status) => (status.startsWith('4') && status !== '429') || (status === 'default' && isAny('2') && !isAny('4')),
  );
  if (statuses.includes('default') && isAny('2') && isAny('4'))
    note('Replies that the description calls "default" are left out where it names statuses of refusals.');
  const read = (status: string, reply: ReplyFacts): DescribedReply => {
    const of = `${operation}, ${status}`;
    const hint = /^[4d]/.test(status) ? 'problem' : `${readingOf(of).endpoint}-reply`;
    return { status, shown: reply.examples ?? {}, ...bodyOf(of, reply, readingOf(of), hint) };
  };
  return {
    taken: statuses.flatMap((status) => (taken.includes(status) ? [read(status, replies[status] ?? NONE)] : [])),
    refused: refused.flatMap((status) => {
      const reply = replies[status] ?? NONE;
      if (!isForeign(reply)) return [read(status, reply)];
      note(`${operation}, ${status} is ${reply.contentType} and is left out.`);
      return [];
    }),
  };
}

const NONE: ReplyFacts = { headers: [] };

const isForeign = ({ contentType }: ReplyFacts): boolean => contentType !== undefined && contentType !== '*/*';

function bodyOf(of: string, reply: ReplyFacts, reading: Reading, hint: string): Pick<DescribedReply, 'shape'> {
  if (isForeign(reply))
    throw new UsageError(
      `${of} is ${reply.contentType}. Only JSON is written: leave the operation out, and write its endpoint by hand with the codec of what it answers.`,
    );
  if (reply.body === undefined) return {};
  return { shape: shapeOf(reading, { schema: reply.body, within: [] }, hint) };
}
