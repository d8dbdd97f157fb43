import { expect, test } from 'vitest';
import { isCode, isTest, textFiles, type TextFile } from './support/workspace.ts';

/** A connector that takes the number from the core it meets agrees with every core, also with one that broke the contract. */
const offences = (files: readonly TextFile[]) =>
  files
    .filter(({ text }) => /\bcontract:\s*CONTRACT_VERSION\b/.test(text))
    .map(({ path }) => `${path}: take the number of the contract that it is written for, not core's own`);

test('every connector says itself which contract it is written for', () => {
  const files = textFiles((path) => isCode(path) && !isTest(path) && !path.startsWith('packages/core/'));
  expect(files.length).toBeGreaterThan(100);
  expect(offences(files)).toEqual([]);
});

test('a connector that asks core is refused', () => {
  const path = 'packages/connector-scan/src/scan/connector.ts';
  expect(offences([{ path, text: 'defineConnector({ contract: CONTRACT_VERSION, version })' }])).toHaveLength(1);
});
