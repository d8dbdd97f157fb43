import { formulas } from '@railyard/core/protocol';
import { expect, test } from 'vitest';

const SOURCE = 'Made of packages/core/src/signature/formulas.ts, by which the TypeScript client signs:';
const COMMAND = 'npm test -- packages/client/test/formula-tables.test.ts -u';

const rows = (write: (name: string, fields: readonly string[]) => string) =>
  Object.entries(formulas)
    .map(([name, fields]) => write(name, fields))
    .join('\n');
const quoted = (fields: readonly string[]) => fields.map((field) => `'${field}'`).join(', ');

const php = `<?php

// ${SOURCE}
// ${COMMAND}
return [
${rows((name, fields) => `    '${name}' => [${quoted(fields)}],`)}
];
`;

const python = `"""The fields that each signature covers, in order; the merchant's password follows.

${SOURCE}
${COMMAND}
"""

FORMULAS = {
${rows((name, fields) => `    "${name}": [${fields.map((field) => `"${field}"`).join(', ')}],`)}
}
`;

test.each([
  ['PHP', '../../../clients/php/src/formulas.php', php],
  ['Python', '../../../clients/python/src/railyard/formulas.py', python],
])('the table of formulas in %s is the one that the TypeScript client signs by', async (_language, file, text) => {
  await expect(text).toMatchFileSnapshot(file);
});
