import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { nodeOf, supportedNodes } from '../../test/support/pack.ts';
import { requireTool } from '../../test/support/tool.ts';
import { connectors, installed, program, projectWith } from './support/project.ts';

describe.each(connectors)('core and %s alone', (connector) => {
  test.for(supportedNodes)('install, load and validate in an empty folder on Node %s', (version, ctx) => {
    const node = requireTool(ctx, nodeOf(version));
    const folder = projectWith(['@railyard/core', connector], node);
    expect(installed(folder)).toEqual([connector.replace('@railyard/', ''), 'core']);
    program('check-methods.mjs', connector, folder);
    const file = program('check-connector.mjs', connector, folder);
    const { stdout, stderr, status } = spawnSync(node, [file], { cwd: folder, encoding: 'utf8', timeout: 60_000 });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^[\w-]+( [\w-]+)*\n$/);
  });
});
