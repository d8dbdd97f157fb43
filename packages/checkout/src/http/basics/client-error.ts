import { randomUUID } from 'node:crypto';
import { errorAnswer } from '@railyard/core/protocol';
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Errors of Node's parser, which come before there is a request; any other is a 400. */
const KNOWN: ReadonlyMap<string, readonly [status: number, words: string, text: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'Request Header Fields Too Large', 'The headers are larger than 16 KB.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'Request Timeout', 'The request did not arrive in time.']],
]);

/** Answers what is no HTTP request, in the same form as every other error, and ends the connection. */
export function answerClientErrors(server: Server): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (_request, response: ServerResponse) => {
    if (response.socket !== null) answering.set(response.socket, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Nothing may be written into the middle of another answer.
    const midAnswer = answering.get(socket)?.headersSent === true && answering.get(socket)?.writableEnded === false;
    if (error.code === 'ECONNRESET' || !socket.writable || midAnswer) return void socket.destroy();
    const [status, words, text] = KNOWN.get(error.code ?? '') ?? [400, 'Bad Request', 'This is no HTTP request.'];
    const request_id = randomUUID();
    const { body } = errorAnswer({ http_code: status, error_code: String(status), error_message: text, request_id });
    const json = JSON.stringify(body);
    const head = [
      `HTTP/1.1 ${status} ${words}`,
      'connection: close',
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(json)}`,
      `x-request-id: ${request_id}`,
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${json}`);
  });
}
