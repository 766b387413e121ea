import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { lacking, type Way } from './control-plane.ts';
import { isRemovedAfterUs } from '../real/clearing-up.ts';
import type { WantedRelease } from './wanted-release.ts';

/** It is outside the work tree, so that every clone finds it. There is one directory for each set of versions. */
export function cacheDirectory({ kubernetes, etcd }: WantedRelease, env: NodeJS.ProcessEnv): string {
  const root = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const versions = createHash('sha256').update(`${kubernetes} ${etcd}`).digest('hex').slice(0, 8);
  return join(root, 'dependency-watchdog', 'control-plane', `${kubernetes}-${versions}`);
}

export function fromCache(directory: string): Way {
  if (lacking(directory).length > 0) return { why: `the cache (${directory}) does not hold it yet` };
  return { found: { directory, hasControllerManager: true, from: 'the cache' } };
}

/**
 * Has `make` put the programs into a directory beside the cache's, and moves them there once all are complete, so that one
 * who is interrupted never leaves half of them behind. Two at the same time do the same work twice; each moves whole
 * programs of the same versions, and whoever runs one already keeps it.
 */
export async function fillCache(directory: string, make: (part: string) => Promise<void>): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const part = `${directory}.part-${randomUUID()}`;
  // Registered before it is created. Otherwise a kill between the two steps would leave it behind.
  isRemovedAfterUs(part);
  mkdirSync(part);
  try {
    await make(part);
    const missing = lacking(part);
    if (missing.length > 0) throw new Error(`${missing.join(' and ')} did not come`);
    for (const program of readdirSync(part)) renameSync(join(part, program), join(directory, program));
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}
