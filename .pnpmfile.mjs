// As a package is packed, its package.json loses the parts that only this repository understands.

// Its template is written with the versions that it is itself developed with.
const KEEPS_VERSIONS = '@railyard/create-connector';

export const hooks = {
  beforePacking(manifest) {
    const { scripts: _, devDependencies, ...rest } = manifest;
    const exports = Object.fromEntries(
      Object.entries(rest.exports).map(([entry, target]) => [entry, withoutSource(target)]),
    );
    return { ...rest, exports, ...(rest.name === KEEPS_VERSIONS && { devDependencies }) };
  },
};

function withoutSource(target) {
  if (typeof target === 'string') return target;
  const { '@railyard/source': _, ...published } = target;
  return published;
}
