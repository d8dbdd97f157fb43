import { registerHooks } from 'node:module';

const packages = new URL('../../packages/', import.meta.url);

// A document may name any package of ours, wherever it stands: each is resolved as it would resolve itself.
registerHooks({
  resolve(specifier, context, next) {
    const name = /^@railyard\/([^/]+)/.exec(specifier)?.[1];
    if (name === undefined) return next(specifier, context);
    return next(specifier, { ...context, parentURL: new URL(`${name}/package.json`, packages).href });
  },
});
