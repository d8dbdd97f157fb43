import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyProject } from './support/empty-project.ts';
import { nodeOf, pack, scratch, supportedNodes } from './support/pack.ts';
import { requireTool } from './support/tool.ts';
import { root } from './support/workspace.ts';

let home: string;
let tarballs: string[];

beforeAll(() => {
  home = scratch('tarballs');
  tarballs = ['packages/core', 'packages/connector-pix'].map((folder) => pack(folder, home));
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

test.for(supportedNodes)(
  'core and connector-pix validate Pix parameters in an empty folder on Node %s',
  (version, ctx) => {
    const node = requireTool(ctx, nodeOf(version));
    const folder = emptyProject(home, tarballs, node);
    expect(readdirSync(join(folder, 'node_modules/@railyard')).toSorted()).toEqual(['connector-pix', 'core']);
    cpSync(join(root, 'test/fixtures/validate-pix.mjs'), join(folder, 'validate-pix.mjs'));
    const { stdout, stderr, status } = spawnSync(node, ['validate-pix.mjs'], { cwd: folder, encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'valid\n', stderr: '' });
  },
);
