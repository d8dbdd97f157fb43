// Writes the facts files of all descriptions. Usage: node tools/openapi/write-facts.ts <folder with the descriptions>
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../test/support/workspace.ts';
import { DESCRIPTIONS } from './descriptions.ts';
import { reduceDescription } from '@railyard/conformance/official';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder that holds the descriptions: write-facts.ts <folder>.');
for (const { file, facts, operations, ...origin } of DESCRIPTIONS) {
  const description: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const path = join(root, facts);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(reduceDescription(description, origin, operations), null, 1)}\n`);
  process.stdout.write(`${facts} from ${file}\n`);
}
