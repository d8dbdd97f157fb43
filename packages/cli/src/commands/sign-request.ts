import { randomUUID } from 'node:crypto';
import { requestSignature, requestSignatureHeaders } from '@railyard/core/merchant';
import type { Io } from '../output/io.ts';
import { askPassword } from '../signatures/ask-password.ts';
import { type Answer, type Given, textOf, UsageError } from './command.ts';

/** The headers that sign a request: its body byte for byte, and the path that it is sent to (docs/server-to-server.md). */
export async function signRequestHeaders(given: Given, io: Io, body: string, inputIsFree: boolean): Promise<Answer> {
  const [key, path] = [textOf(given, 'key'), textOf(given, 'path')];
  if (key === undefined) throw new UsageError('A request is signed by a key: name it with --key ID.');
  if (path === undefined || !path.startsWith('/'))
    throw new UsageError('The signature covers where a request goes: give --path, such as /api/v1/session.');
  const secret = await askPassword(given, io, 'secret of the request key', inputIsFree);
  const id = textOf(given, 'id') ?? randomUUID();
  const timestamp = textOf(given, 'timestamp') ?? String(Math.floor(Date.now() / 1000));
  const signed = { id, timestamp, method: 'POST', path, body: new TextEncoder().encode(body) };
  const names = requestSignatureHeaders;
  const headers = {
    [names.key]: key,
    [names.id]: id,
    [names.timestamp]: timestamp,
    [names.signature]: requestSignature(secret, signed),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return { code: 0, json: headers, text: () => lines.join('\n') };
}
