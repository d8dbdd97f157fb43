import type {
  Answer,
  CommandFormula,
  ErrorBody,
  Issue,
  SignedCommandFields,
  ValidationBody,
} from '@railyard/core/protocol';
import type * as z from 'zod';
import type { CommandAnswerBody } from './command-bodies.ts';
import type { CallName } from '../../deployment/directions.ts';
import type { HeadedAnswer } from '../../idempotency/headed-answer.ts';
import type { Resource } from '../../idempotency/with-idempotency.ts';
import type { Asker } from '../../sessions/charge-session.ts';
import { checkedBy, commandHashBy, type ReceivedCall, runCall } from '../basics/call.ts';
import type { SignedByHash } from '../basics/signed-request.ts';
import type { CommandDeps } from './deps.ts';

export type CommandBody = CommandAnswerBody | ValidationBody | ErrorBody;
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

interface CommandSpec<B> {
  readonly action: CallName;
  readonly schema: z.ZodType<B>;
  /** Rules between fields, reported beside what is wrong with each of them. */
  readonly between?: (body: Readonly<Record<string, unknown>>) => readonly Issue[];
  /** How its hash is checked. */
  readonly signedBy: (fields: B, context: CommandDeps) => SignedByHash | Promise<SignedByHash>;
  readonly handle: (context: CommandDeps, asker: Asker, fields: B, resource: Resource) => Promise<Answer<CommandBody>>;
  /** Changes nothing: each request is answered as things are, whatever its key. */
  readonly readsOnly?: true;
}

/** A command: a form through the pipeline of all calls. */
export function defineCommand<B extends Signed>(spec: CommandSpec<B>): Command {
  const { action, schema, handle, readsOnly } = spec;
  const call = {
    path: action,
    check: (_context: CommandDeps, body: unknown) => checkedBy(schema, body, spec.between?.(Object(body))),
    signature: async (fields: B, context: CommandDeps) => ({
      merchantKey: fields.client_key,
      call: action,
      byHash: await spec.signedBy(fields, context),
    }),
    handle,
  };
  return {
    run(context, { idempotencyKey, ...received }) {
      const key = readsOnly === true ? undefined : idempotencyKey;
      // The fields, because the text of a multipart body is another one each time; with a key, because they may be those of a card.
      const text = (fields: B) => context.vault.fingerprint(JSON.stringify(fields));
      return runCall(context, call, { ...received, idempotencyKey: key }, text);
    },
  };
}

/** A hash over fields of the command alone. */
export const signedByFields =
  <F extends CommandFormula, B extends Signed>(formula: F, covered: (fields: B) => SignedCommandFields<F>) =>
  (fields: B): SignedByHash =>
    commandHashBy(formula, covered(fields), fields.hash);
