import {
  type CommandFormula,
  type ErrorBody,
  issuesOfZod,
  leadingIdsOfCommand,
  type SignedCommandFields,
  type ValidationBody,
  validationAnswer,
  verifyCommand,
} from '@railyard/core';
import type * as z from 'zod';
import { signedWith, someOf } from '../basics/signed-request.ts';
import type { HeadedAnswer } from '../../idempotency/headed-answer.ts';
import type { CommandDeps } from './deps.ts';
import type { Asker } from '../../sessions/charge-session.ts';
import type { CallName } from '../../deployment/directions.ts';
import { type Sent, withoutNeedOfHash } from '../../signatures/sent.ts';
import type { TransactionBody } from '../../callbacks/content/transaction-body.ts';

export type CommandAnswer = HeadedAnswer<TransactionBody | ValidationBody | ErrorBody>;

/** A server-to-server command as it came: its fields are not yet checked. */
export interface SentCommand {
  readonly body: Readonly<Record<string, unknown>>;
  /** The header `Idempotency-Key`, if there is one. */
  readonly idempotencyKey: string | undefined;
  readonly sent: Sent;
}

/** A command of the table. */
export interface Command {
  /** Checks fields and signature, and carries the command out. */
  run(context: CommandDeps, sent: SentCommand): Promise<CommandAnswer>;
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
  readonly handle: (
    context: CommandDeps,
    asker: Asker,
    body: B,
    idempotencyKey: string | undefined,
  ) => Promise<CommandAnswer>;
}

/** A command: its fields, then its hash, then what it does. */
export function defineCommand<F extends CommandFormula, B extends Signed & SignedCommandFields<F>>({
  action,
  schema,
  formula,
  handle,
}: CommandSpec<F, B>): Command {
  return {
    async run(context, { body, idempotencyKey, sent }) {
      const parsed = schema.safeParse(withoutNeedOfHash(body, sent));
      if (!parsed.success) return validationAnswer(issuesOfZod(parsed.error, { input: body }));
      const { client_key, hash: given } = parsed.data;
      const { issuedIds } = context.stores;
      const asked = { merchantKey: client_key, call: action, sent };
      const signed = await signedWith(context, asked, {
        verify: (keys) => verifyCommand({ formula, fields: parsed.data, given, ...keys }),
        isIssued: () => someOf(leadingIdsOfCommand(formula, parsed.data), (id) => issuedIds.isTransaction(id)),
      });
      return signed.ok ? handle(context, signed, parsed.data, idempotencyKey) : signed.answer;
    },
  };
}
