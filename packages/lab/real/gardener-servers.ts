import { RealApiServer, type Extras, type User } from './api-server.ts';
import { seedUser, shootUser, weederUser, grantingsOf, type GrantFile } from '@dwd/testing/gardener-rbac.ts';
import type { Ground } from './ground.ts';
import { apply, tolerating } from './operator-client.ts';
import { defineKinds, type Operated } from './seed-objects.ts';

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

/** Makes a seed of a server: Gardener's kinds, and exactly what Gardener grants prober and weeder there. What is there already stays. */
export async function furnishSeed(seed: Operated): Promise<void> {
  await defineKinds(seed);
  for (const file of ['base/prober/rbac.yaml', 'base/weeder/rbac.yaml'] as const) await grant(seed, file);
}

/** A real API server that is a shoot: it takes leases of nodes, and the probe has Gardener's grants. */
export async function startShoot(ground: Ground, name: string, extras: Extras = {}): Promise<RealApiServer> {
  const probe = { name: shootUser, token: `probe-in-${name}`, groups };
  const shoot = await RealApiServer.start(ground, name, { ...extras, users: [probe, ...(extras.users ?? [])] });
  await furnishShoot(shoot);
  return shoot;
}

/** Makes a shoot of a server: it takes leases of nodes, and the probe has exactly Gardener's grants. */
export async function furnishShoot(shoot: Operated): Promise<void> {
  // The server makes it itself, some time after its start.
  await addNamespace(shoot, 'kube-node-lease');
  await grant(shoot, 'shoot/rbac.yaml');
}

async function grant(server: Operated, file: GrantFile): Promise<void> {
  const grantings = grantingsOf(file);
  for (const name of new Set(grantings.flatMap(({ metadata: { namespace } }) => namespace ?? [])))
    await addNamespace(server, name);
  for (const granting of grantings) await apply(server.operator, granting);
}

async function addNamespace({ operator: { core } }: Operated, name: string): Promise<void> {
  await tolerating([409], core.createNamespace({ body: { metadata: { name } } }));
}
