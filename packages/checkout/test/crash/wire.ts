import { statementOf } from './gate.ts';

/** Message frames of PostgreSQL's protocol 3 (documentation: "Message Formats"), as far as a proxy needs them. */

/** One message: its type, a letter; and its bytes, type and length included. */
export interface Frame {
  readonly type: string;
  readonly bytes: Buffer;
}

const HEAD = 5;

/** Cuts a stream of bytes into messages. */
export class Frames {
  #rest: Buffer = Buffer.alloc(0);

  /** @returns the messages that are complete now */
  push(chunk: Buffer): Frame[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const frames: Frame[] = [];
    while (this.#rest.length >= HEAD) {
      const end = 1 + this.#rest.readInt32BE(1);
      if (this.#rest.length < end) break;
      frames.push({ type: String.fromCharCode(this.#rest[0] ?? 0), bytes: this.#rest.subarray(0, end) });
      this.#rest = this.#rest.subarray(end);
    }
    return frames;
  }
}

/** Reads the text up to the next zero byte. */
function textAt(bytes: Buffer, at: number): { readonly text: string; readonly next: number } {
  const end = bytes.indexOf(0, at);
  return { text: bytes.toString('utf8', at, end), next: end + 1 };
}

/** What one connection has prepared under names, and what a request of it says. */
export class Statements {
  readonly #named = new Map<string, string>();

  /** @returns the statement of a request, or `sync` where it has none */
  read(request: readonly Frame[]): string {
    let text: string | undefined;
    for (const { type, bytes } of request) {
      if (type === 'Q') text = textAt(bytes, HEAD).text;
      if (type === 'P') {
        const name = textAt(bytes, HEAD);
        text = textAt(bytes, name.next).text;
        this.#named.set(name.text, text);
      }
      if (type === 'B') text = this.#named.get(textAt(bytes, textAt(bytes, HEAD).next).text) ?? text;
    }
    return statementOf(text ?? 'sync');
  }
}

/** How many rows an answer has. */
export function rowsIn(answer: readonly Frame[]): number {
  return answer.filter(({ type }) => type === 'D').length;
}

/** Whether an answer has rows, or says that some were changed: `UPDATE 1`, `INSERT 0 1`. */
export function foundSomething(answer: readonly Frame[]): boolean {
  return answer.some(({ type, bytes }) => type === 'D' || (type === 'C' && /[1-9]\d*$/.test(textAt(bytes, HEAD).text)));
}
