import { RealApiServer, type Extras, type User } from './api-server.ts';
import { seedUser, shootUser, weederUser, grantingsOf, type GrantFile } from '@dwd/testing/gardener-rbac.ts';
import type { Ground } from './ground.ts';
import { tolerating } from './operator-client.ts';
import { defineKinds } from './seed-objects.ts';

const groups = ['system:serviceaccounts'];

/** The prober and the weeder in a seed. */
export const seedUsers: readonly User[] = [
  { name: seedUser, token: 'prober-in-seed', groups },
  { name: weederUser, token: 'weeder-in-seed', groups },
];

/** A real API server that is a seed: it has Gardener's kinds and the namespace `garden`, and prober and weeder have Gardener's grants. */
export async function startSeed(ground: Ground, name: string, extras: Extras = {}): Promise<RealApiServer> {
  const users = [...seedUsers, ...(extras.users ?? [])];
  const seed = await RealApiServer.start(ground, name, { ...extras, users });
  await furnishSeed(seed);
  return seed;
}

export async function furnishSeed(seed: RealApiServer): Promise<void> {
  await defineKinds(seed);
  await grantInSeed(seed);
  await grantWeederInSeed(seed);
}

/** A real API server that is a shoot: it takes leases of nodes, and the probe has Gardener's grants. */
export async function startShoot(ground: Ground, name: string, extras: Extras = {}): Promise<RealApiServer> {
  const probe = { name: shootUser, token: `probe-in-${name}`, groups };
  const shoot = await RealApiServer.start(ground, name, { ...extras, users: [probe, ...(extras.users ?? [])] });
  // The server makes it itself, some time after its start.
  const body = { metadata: { name: 'kube-node-lease' } };
  await tolerating([409], shoot.operator.core.createNamespace({ body }));
  await grantInShoot(shoot);
  return shoot;
}

/** Grants the prober in the seed exactly what Gardener grants it. */
const grantInSeed = (seed: RealApiServer): Promise<void> => apply(seed, 'base/prober/rbac.yaml');

/** Grants the weeder in the seed exactly what Gardener grants it. */
const grantWeederInSeed = (seed: RealApiServer): Promise<void> => apply(seed, 'base/weeder/rbac.yaml');

/** Grants the probe in the shoot exactly what Gardener grants it. */
const grantInShoot = (shoot: RealApiServer): Promise<void> => apply(shoot, 'shoot/rbac.yaml');

async function apply({ operator }: RealApiServer, file: GrantFile): Promise<void> {
  const { core, objects } = operator;
  const grantings = grantingsOf(file);
  for (const name of new Set(grantings.flatMap(({ metadata: { namespace } }) => namespace ?? [])))
    await tolerating([409], core.createNamespace({ body: { metadata: { name } } }));
  for (const granting of grantings) await objects.create(granting);
}
