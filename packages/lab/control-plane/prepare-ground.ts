import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ControlPlaneMissing, type ControlPlane } from './control-plane.ts';
import { findControlPlane } from './find-control-plane.ts';
import { isRemovedAfterUs } from '../real/clearing-up.ts';
import { startEtcd } from '../real/etcd.ts';
import type { Ground } from '../real/ground.ts';

type Wishes = Readonly<{
  /** Logs and all stay there; without it, in a directory that goes with this process. */
  directory?: string | undefined;
  env?: NodeJS.ProcessEnv;
  /** Why a kube-controller-manager is needed: `nobody would mark a node`. Without it, none is. */
  managerFor?: string;
}>;

/** Finds the programs, and starts an etcd. `name` is the directory's. Rejects with ControlPlaneMissing where the programs cannot be had. */
export async function prepareGround(
  name: string,
  say: (line: string) => void,
  { env, managerFor, ...wishes }: Wishes = {},
): Promise<Ground & Omit<ControlPlane, 'directory'>> {
  const { directory: bin, from, hasControllerManager } = await findControlPlane(say, env);
  if (managerFor !== undefined && !hasControllerManager)
    throw new ControlPlaneMissing(
      `${from} (${bin}) hold no kube-controller-manager, and without one ${managerFor}: put one there, or unset KUBEBUILDER_ASSETS.`,
    );
  const directory = wishes.directory ?? mkdtempSync(join(tmpdir(), `dwd-${name}-`));
  if (wishes.directory === undefined) isRemovedAfterUs(directory);
  return { bin, directory, etcd: await startEtcd(bin, directory), from, hasControllerManager };
}
