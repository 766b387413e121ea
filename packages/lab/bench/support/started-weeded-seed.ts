import { forked, type Forked } from './forked.ts';
import type { WeededSeedSize } from './weeded-seed-orders.ts';
import type { WeededSeedCommands } from './weeded-seed-process.ts';

/** An embedded seed with control planes to be weeded, in a process of its own, which ends when it is disposed of. `namespaces`: of the services that come back. */
export type StartedWeededSeed = Forked<WeededSeedCommands> &
  Readonly<{ kubeconfig: string; namespaces: readonly string[] }>;

export async function startWeededSeed(size: WeededSeedSize): Promise<StartedWeededSeed> {
  const seed = await forked<WeededSeedCommands>('weeded-seed-process.ts', [], ['--max-old-space-size=8000']);
  return Object.assign(seed, await seed.start(size));
}
