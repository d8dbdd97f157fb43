import manifest from '../package.json' with { type: 'json' };

/** The version of this package; every run of a flow keeps it. */
export const version: string = manifest.version;
