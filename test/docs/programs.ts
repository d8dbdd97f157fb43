import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { packages, root } from '../support/workspace.ts';
import type { Block } from './blocks.ts';

const hook = fileURLToPath(new URL('resolve.mjs', import.meta.url));
const TIMEOUT_MS = 150_000;

/** Writes a block beside its document's package, so that it finds the libraries that the package has. */
export function writeProgram(block: Block, run: string): string {
  const owner = /^(packages\/[^/]+|demo|examples)\//.exec(block.path)?.[1] ?? '.';
  const name = `${block.path.replaceAll(/\W+/g, '-')}-${block.line}.${block.language}`;
  const file = join(root, owner, '.railyard', run, name);
  mkdirSync(dirname(file), { recursive: true });
  // What a reader has exported by then.
  if (block.text.includes("'./profile.json'"))
    copyFileSync(join(root, 'examples/browser-form/profile.json'), join(dirname(file), 'profile.json'));
  // A block without imports would otherwise share its names with every other block.
  writeFileSync(file, block.language === 'ts' ? `${block.text}export {};\n` : block.text);
  return file;
}

/** Runs a program on the sources of the workspace and gives what it complained of; empty when it ended well. */
export async function runProgram(file: string): Promise<string> {
  const args = ['--conditions=@railyard/source', `--import=${hook}`, '--disable-warning=ExperimentalWarning', file];
  try {
    await promisify(execFile)(process.execPath, args, { cwd: root, timeout: TIMEOUT_MS });
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The compiler's complaints about these files, by file, under the options of the workspace. */
export function typecheck(files: readonly string[]): Map<string, string[]> {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root, { paths: paths(), types: ['node'] });
  const program = ts.createProgram(files, options);
  return new Map(files.map((file) => [file, complaints(program, file)]));
}

function complaints(program: ts.Program, file: string): string[] {
  const source = program.getSourceFile(file);
  if (source === undefined) return ['the compiler did not read this file'];
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((one) => {
    const line = source.getLineAndCharacterOfPosition(one.start ?? 0).line + 1;
    return `line ${line} of the block: ${ts.flattenDiagnosticMessageText(one.messageText, '\n')}`;
  });
}

/** Every entry of every package of ours → its source. */
function paths(): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { folder, manifest } of packages()) {
    for (const [entry, target] of Object.entries(manifest.exports)) {
      const source = typeof target === 'string' ? undefined : target['@railyard/source'];
      if (source !== undefined) found[`${manifest.name}${entry.slice(1)}`] = [join(root, folder, source)];
    }
  }
  return found;
}
