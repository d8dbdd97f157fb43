export { manifestOf, packedIn, releasedVersions, type Versions } from './manifest.ts';
export { BadUse, checkNames, type Names, providerFrom, slug } from './names.ts';
export { repositoryUrl } from './repository.ts';
export { writePackage } from './write-package.ts';
