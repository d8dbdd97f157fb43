import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import { php, python, requireTool } from '../../../../test/support/tool.ts';

/** PHP keeps the arguments of each frame in a trace, whole, as a server in development does. */
const WITH_ARGUMENTS = ['-d', 'zend.exception_ignore_args=0', '-d', 'zend.exception_string_param_max_len=1000000'];

/** The clients in other languages: the program that runs each, and the arguments by which it makes one call. */
export const LANGUAGES = {
  PHP: { tool: php, args: [...WITH_ARGUMENTS, fileURLToPath(new URL('call.php', import.meta.url))] },
  Python: { tool: python, args: [fileURLToPath(new URL('call.py', import.meta.url))] },
} as const;

export type Language = keyof typeof LANGUAGES;

/** An error of a call, its names as PHP has them. */
interface ThrownError {
  readonly kind: string;
  readonly message: string;
  readonly [name: string]: unknown;
}

/** An answer, an error of the call, or the complaint about an argument. */
export interface Said {
  readonly answer?: unknown;
  readonly error?: ThrownError;
  readonly wrong?: string;
  /** With an error: its messages and traces, as a log may write them. */
  readonly shown?: string;
}

export interface Call {
  readonly client?: Readonly<Record<string, unknown>>;
  readonly call: string;
  readonly args: readonly unknown[];
  /** Arguments by name, as PHP has them. */
  readonly named?: Readonly<Record<string, unknown>>;
  /** Environment variables beside those of the test. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Makes one call in a process of that language. */
export async function callIn(ctx: TestContext, language: Language, { env, ...given }: Call): Promise<Said> {
  const { tool, args } = LANGUAGES[language];
  const program = spawn(requireTool(ctx, tool), args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  program.stdin.end(JSON.stringify({ client: {}, named: {}, ...given }));
  const [said, complained] = await Promise.all([text(program.stdout), text(program.stderr)]);
  if (complained !== '') throw new Error(`${language} complained: ${complained}`);
  return JSON.parse(said);
}
