import { expect, test } from 'vitest';
import { grantingsOf } from '@dwd/testing/gardener-rbac.ts';
import { kustomized, type Manifest } from './render.ts';

const byName = (manifests: readonly Manifest[]) =>
  manifests.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
const nameOf = ({ kind, metadata: { namespace = '', name } }: Manifest) => `${kind} ${namespace}/${name}`;

test('what is applied to a shoot is what the tests of grants apply', async () => {
  const grantings = grantingsOf('shoot/rbac.yaml');
  expect(grantings).not.toEqual([]);
  expect(byName(await kustomized('deploy/shoot'))).toEqual(byName(grantings));
});
