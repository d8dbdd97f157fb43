import type { Answer, CommandFormula, ErrorBody, SignedCommandFields, ValidationBody } from '@railyard/core/protocol';
import type * as z from 'zod';
import type { TransactionBody } from '../../callbacks/content/transaction-body.ts';
import type { CallName } from '../../deployment/directions.ts';
import type { HeadedAnswer } from '../../idempotency/headed-answer.ts';
import type { Resource } from '../../idempotency/with-idempotency.ts';
import type { Asker } from '../../sessions/charge-session.ts';
import { checkedBy, commandHashBy, type ReceivedCall, runCall } from '../basics/call.ts';
import type { CommandDeps } from './deps.ts';

export type CommandBody = TransactionBody | ValidationBody | ErrorBody;
export type CommandAnswer = HeadedAnswer<CommandBody>;

/** A command of the table. */
export interface Command {
  /** Sends the command through the pipeline of all calls. */
  run(context: CommandDeps, received: ReceivedCall): Promise<CommandAnswer>;
}

/** The fields of every command. */
interface Signed {
  readonly client_key: string;
  readonly hash: string;
}

interface CommandSpec<F extends CommandFormula, B> {
  readonly action: CallName;
  readonly schema: z.ZodType<B>;
  /** Covers fields of the schema. */
  readonly formula: F;
  readonly handle: (context: CommandDeps, asker: Asker, fields: B, resource: Resource) => Promise<Answer<CommandBody>>;
  /** Changes nothing: each request is answered as things are, whatever its key. */
  readonly readsOnly?: true;
}

/** A command: a form through the pipeline of all calls. */
export function defineCommand<F extends CommandFormula, B extends Signed & SignedCommandFields<F>>({
  action,
  schema,
  formula,
  handle,
  readsOnly,
}: CommandSpec<F, B>): Command {
  const spec = {
    path: action,
    check: (_context: CommandDeps, body: unknown) => checkedBy(schema, body),
    signature: (fields: B) => ({
      merchantKey: fields.client_key,
      call: action,
      byHash: commandHashBy(formula, fields, fields.hash),
    }),
    handle,
  };
  return {
    run(context, { idempotencyKey, ...received }) {
      const key = readsOnly === true ? undefined : idempotencyKey;
      // The fields, because the text of a multipart body is another one each time.
      return runCall(context, spec, { ...received, idempotencyKey: key }, (fields) => JSON.stringify(fields));
    },
  };
}
