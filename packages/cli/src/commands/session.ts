import * as z from 'zod';
import { askService, SERVICE_OPTIONS } from '../connectors/ask-service.ts';
import { jsonIn, textIn } from '../connectors/read-json.ts';
import type { Look } from '../output/look.ts';
import { askPassword, PASSWORD_OPTIONS } from '../signatures/ask-password.ts';
import { readMessage } from '../signatures/message.ts';
import { type Command, oneOf, textOf, UsageError } from './command.ts';
import { HASH_OPTIONS, signMessage } from './sign.ts';

const requestSchema = z.looseObject({ merchant_key: z.string().optional() });
const createdSchema = z.object({ redirect_url: z.string() });
const lineSchema = z.object({ error_message: z.string(), hint: z.string().optional() });
const refusedSchema = lineSchema.extend({ errors: z.array(lineSchema).default([]) });

export const session: Command = {
  usage: 'session create FILE',
  help: 'Signs a session request, sends it to a running service and prints the address of the payment page. FILE ("-": standard input) is the request as JSON; its hash, if it has one, is replaced. The same order number within 15 seconds is refused.',
  options: {
    ...SERVICE_OPTIONS,
    merchant: { type: 'string', hint: 'KEY', says: 'the merchant key, if it is another than that of the request' },
    ...HASH_OPTIONS,
    ...PASSWORD_OPTIONS,
  },
  words: [2, 2],
  async run(given, io) {
    const [what = '', name = ''] = given.positionals;
    oneOf(what, ['create'], 'What to do with a session');
    const text = await textIn(name, io);
    const request = requestSchema.safeParse(jsonIn(text, name));
    if (!request.success) throw new UsageError('The request is no JSON object with a merchant_key.');
    const merchant_key = textOf(given, 'merchant') ?? request.data.merchant_key;
    if (merchant_key === undefined) throw new UsageError('Whose session is it? Give --merchant with the merchant key.');
    const message = readMessage('session', text, undefined);
    const password = await askPassword(given, io, 'merchant password', name !== '-');
    const { hash } = signMessage('session', message, password, given);
    const { status, body } = await askService(given, '/api/v1/session', { ...request.data, merchant_key, hash });
    const created = createdSchema.safeParse(body);
    if (created.success) return { code: 0, json: body, text: () => created.data.redirect_url };
    return { code: 1, json: body, text: (look) => refusal(look, status, body) };
  },
};

function refusal(look: Look, status: number, body: unknown): string {
  const read = refusedSchema.safeParse(body);
  if (!read.success) return look.paint('red', `The service answered ${status}, and no error that can be read.`);
  const { errors, error_message, hint } = read.data;
  const lines = errors.length === 0 ? [{ error_message, hint }] : errors;
  return lines
    .flatMap((each) => [look.paint('red', each.error_message), ...(each.hint === undefined ? [] : [`  ${each.hint}`])])
    .join('\n');
}
