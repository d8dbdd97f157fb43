import { readChangesets } from '@changesets/read';
import { published } from '../../test/support/workspace.ts';

/** Changesets that name what is not published from here, one line each: a release cannot be made of them. */
export async function unknownPackages(home: string): Promise<string[]> {
  const names = published(home).map(({ manifest }) => manifest.name);
  const changesets = await readChangesets(home);
  return changesets.flatMap(({ id, releases }) =>
    releases
      .filter(({ name }) => !names.includes(name))
      .map(({ name }) => `.changeset/${id}.md: ${name} is none of ${names.join(', ')}`),
  );
}
