import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { jsonInPipe } from './memory-io.ts';
import { fixture } from './run-cli.ts';

interface Account {
  /** The export of its connector, and the package that has it. */
  readonly connector: string;
  readonly from: string;
  readonly id: string;
  readonly method: string;
  readonly settings: object;
  /** What the answer must not show. */
  readonly secrets: readonly string[];
}

/** What `railyard doctor` finds of an account `own`, by check: `result: sentence`. */
export async function doctored({ connector, from, id, method, settings, secrets }: Account) {
  const folder = mkdtempSync(fixture('doctored-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'checkout.config.mjs');
  const merchant = { key: 'm-1', name: 'Shop', password: 'p-of-the-shop', methods: [{ key: method, mid: 'own' }] };
  const mids = [{ id: 'own', connector: id, settings }];
  const rest = JSON.stringify({ publicUrl: 'https://pay.example', mids, merchants: [merchant] });
  writeFileSync(
    path,
    `import { ${connector} } from '${from}';\nexport default { connectors: [${connector}], ...${rest} };\n`,
  );
  const { answer } = await jsonInPipe(['doctor', '--config', path]);
  const all: readonly { readonly check: string; readonly result: string; readonly says: string }[] = answer.findings;
  for (const secret of secrets) expect(JSON.stringify(answer)).not.toContain(secret);
  return (check: string) => all.filter((each) => each.check === check).map(({ result, says }) => `${result}: ${says}`);
}
