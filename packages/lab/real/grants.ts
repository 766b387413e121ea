import { grantingsOf, type GrantFile } from '@dwd/testing/gardener-rbac.ts';
import type { RealApiServer } from './api-server.ts';
import { tolerating } from './operator-client.ts';

/** Grants the prober in the seed exactly what Gardener grants it. */
export const grantInSeed = (seed: RealApiServer): Promise<void> => apply(seed, 'base/prober/rbac.yaml');

/** Grants the weeder in the seed exactly what Gardener grants it. */
export const grantWeederInSeed = (seed: RealApiServer): Promise<void> => apply(seed, 'base/weeder/rbac.yaml');

/** Grants the probe in the shoot exactly what Gardener grants it. */
export const grantInShoot = (shoot: RealApiServer): Promise<void> => apply(shoot, 'shoot/rbac.yaml');

async function apply({ operator }: RealApiServer, file: GrantFile): Promise<void> {
  const { core, objects } = operator;
  const grantings = grantingsOf(file);
  for (const name of new Set(grantings.flatMap(({ metadata: { namespace } }) => namespace ?? [])))
    await tolerating([409], core.createNamespace({ body: { metadata: { name } } }));
  for (const granting of grantings) await objects.create(granting);
}
