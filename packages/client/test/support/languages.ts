import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import { php, python, requireTool } from '../../../../test/support/tool.ts';

/** The clients in other languages: the program that runs each, and the script that makes one call. */
export const LANGUAGES = {
  PHP: { tool: php, script: fileURLToPath(new URL('call.php', import.meta.url)) },
  Python: { tool: python, script: fileURLToPath(new URL('call.py', import.meta.url)) },
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
}

export interface Call {
  readonly client?: Readonly<Record<string, unknown>>;
  readonly call: string;
  readonly args: readonly unknown[];
  /** Arguments by name, as PHP has them. */
  readonly named?: Readonly<Record<string, unknown>>;
}

/** Makes one call in a process of that language. */
export async function callIn(ctx: TestContext, language: Language, given: Call): Promise<Said> {
  const { tool, script } = LANGUAGES[language];
  const program = spawn(requireTool(ctx, tool), [script], { stdio: ['pipe', 'pipe', 'pipe'] });
  program.stdin.end(JSON.stringify({ client: {}, named: {}, ...given }));
  const [said, complained] = await Promise.all([text(program.stdout), text(program.stderr)]);
  if (complained !== '') throw new Error(`${language} complained: ${complained}`);
  return JSON.parse(said);
}
