/** What is checked without running anything of the project, by programs of its own. */
export const CHECKS = [
  { name: 'lint', command: ['oxlint', '.'] },
  { name: 'unused', command: ['knip', '--no-progress', '--no-config-hints'] },
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'typecheck', command: ['tsc', '--noEmit'] },
];
