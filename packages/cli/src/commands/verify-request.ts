import { readText } from '../connectors/read-json.ts';
import type { Io } from '../output/io.ts';
import { askPassword } from '../signatures/ask-password.ts';
import {
  faultOfAge,
  faultOfHeaders,
  faultOfSignature,
  isSignedAs,
  partsOf,
  readSignedRequest,
  type SignedRequest,
} from '../signatures/request.ts';
import { type Answer, type Given, textOf, UsageError } from './command.ts';

/** Whether the four headers of a request sign its path and its body, and in time (docs/server-to-server.md). */
export async function verifyRequestHeaders(given: Given, io: Io, body: string, inputIsFree: boolean): Promise<Answer> {
  const [file, path] = [textOf(given, 'headers'), textOf(given, 'path')];
  if (file === undefined) throw new UsageError('A request is signed in its headers: give them with --headers FILE.');
  if (path === undefined || !path.startsWith('/'))
    throw new UsageError('The signature covers where a request goes: give --path, such as /api/v1/session.');
  const at = textOf(given, 'at') ?? String(Math.floor(Date.now() / 1000));
  if (!/^\d{1,12}$/.test(at)) throw new UsageError('--at is a time in seconds since 1970.');
  const request = readSignedRequest(await readText(file, io.cwd), path, body);
  const secret = await askPassword(given, io, 'secret of the request key', inputIsFree);
  return judge(request, { secret, key: textOf(given, 'key'), at: Number(at) });
}

interface Judge {
  readonly secret: string;
  readonly key: string | undefined;
  readonly at: number;
}

function judge(request: SignedRequest, { secret, key, at }: Judge): Answer {
  const { id, timestamp, path, body } = request;
  const signed = `${id}.${timestamp}.POST ${path}, a line feed, <body of ${Buffer.byteLength(body)} bytes>`;
  const isRight = isSignedAs(secret, request, partsOf(request));
  const wrong = isRight ? faultOfAge(request, at) : (faultOfSignature(secret, request) ?? unexplained(request));
  const fault = faultOfHeaders(request, key) ?? wrong;
  if (fault === undefined)
    return {
      code: 0,
      json: { ok: true, key: request.key, signed, ageSeconds: at - Number(timestamp) },
      text: (look) => [look.paint('green', 'The signature is right.'), `signed: ${signed}`].join('\n'),
    };
  const { mistake, says, advice } = fault;
  return {
    code: 1,
    json: { ok: false, mistakes: mistake === undefined ? [] : [mistake], says, advice, signed },
    text: (look) =>
      [look.paint('red', 'The request would be refused.'), `should be signed: ${signed}`, says, advice].join('\n'),
  };
}

/** A signature does not say which of its parts was another one. */
const unexplained = ({ key }: SignedRequest) => ({
  mistake: undefined,
  says: 'None of the usual mistakes leads to it.',
  advice: `Most likely it is not the secret of the key "${key}", or the body was changed after it was signed.`,
});
