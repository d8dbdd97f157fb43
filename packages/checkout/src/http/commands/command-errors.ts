import { type Answer, type ErrorBody, invalidValueCode, type ValidationBody } from '@railyard/core/protocol';
import type { HeadedAnswer } from '../../idempotency/headed-answer.ts';
import type { CommandAnswer } from './command.ts';

/** The answer to a command that was not carried out (reference: Errors of S2S APM and S2S CARD; recorded clients). */
interface CommandError {
  readonly result: 'ERROR';
  readonly error_code: number;
  readonly error_message: string;
  readonly errors?: ValidationBody['errors'];
}

/** Converts refusals to the form of commands; other answers stay as they are. */
export function asCommandAnswer(answer: CommandAnswer): HeadedAnswer<unknown> {
  const { status, body, headers } = answer;
  if (status < 400 || !('error_message' in body)) return answer;
  const error: CommandError = {
    result: 'ERROR',
    // A number here: the code of validation is that of each of its entries.
    error_code: Number(body.error_code) || invalidValueCode,
    error_message: body.error_message,
    ...('errors' in body && { errors: body.errors }),
  };
  return { status, body: error, ...(headers && { headers }) };
}

/** A refusal of the request as a whole. */
export const refusal = (status: number, error_message: string): Answer<ErrorBody> => ({
  status,
  body: { http_code: status, error_code: String(status), error_message },
});
