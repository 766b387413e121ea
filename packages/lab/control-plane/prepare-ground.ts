import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findControlPlane } from './find-control-plane.ts';
import { isRemovedAfterUs } from '../real/clearing-up.ts';
import { startEtcd } from '../real/etcd.ts';
import type { Ground } from '../real/ground.ts';

type Wishes = Readonly<{
  /** Logs and all stay there; without it, in a directory that goes with this process. */
  directory?: string | undefined;
  env?: NodeJS.ProcessEnv;
}>;

/** Finds the programs, and starts an etcd. `name` is the directory's. Rejects with ProgramMissing where the programs cannot be had. */
export async function prepareGround(
  name: string,
  say: (line: string) => void,
  { env, ...wishes }: Wishes = {},
): Promise<Ground> {
  const bin = await findControlPlane(say, env);
  const directory = wishes.directory ?? mkdtempSync(join(tmpdir(), `dwd-${name}-`));
  if (wishes.directory === undefined) isRemovedAfterUs(directory);
  return { bin, directory, etcd: await startEtcd(bin, directory) };
}
