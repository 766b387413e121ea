import { appendFileSync } from 'node:fs';
import { describe, inject } from 'vitest';
import { RealApiServer, type Reach } from '../../real/api-server.ts';

/** What the set-up of this tier started, as every test file is told it. */
export type RealTier = Readonly<{
  /** The directory of `etcd`, `kube-apiserver` and `kube-controller-manager`. */
  bin: string;
  /** Logs and whatever a test wants to lie there; removed at the end. */
  directory: string;
  /** The URL of the one etcd; a further API server on it has a name, and so a prefix, of its own. */
  etcd: string;
  /** Takes a line for each suite that could not run. */
  leftOut: string;
  seed: Audited;
  shoot: Audited;
}>;

/** The audit log has a line of JSON (`audit.k8s.io/v1` Event, level Metadata) for each request, written before its answer ends. */
type Audited = Reach & Readonly<{ auditLog: string }>;

declare module 'vitest' {
  interface ProvidedContext {
    realTier: RealTier;
  }
}

export function realTier(): RealTier {
  return inject('realTier');
}

/**
 * The seed, with Gardener's kinds and the namespace `garden`; its users besides `admin`: the prober and the weeder under
 * Gardener's grants, and `weak` under none. All test files share it, one after the other: take names that nobody else takes.
 */
export function realSeed(): RealApiServer {
  return new RealApiServer(realTier().seed);
}

/** The shoot; its users besides `admin`: the probe under Gardener's grants, and `weak` under none. Shared like the seed. */
export function realShoot(): RealApiServer {
  return new RealApiServer(realTier().shoot);
}

/** A suite for which something had to be found. Where it was not, `found` says why, and that is told at the end of the run. */
export function describeWith<Found extends object>(
  found: Found | string,
  name: string,
  ending: string,
  suite: (found: Found) => void,
): void {
  if (typeof found === 'string') appendFileSync(realTier().leftOut, `  - ${name}: ${found}\n`);
  describe.runIf(typeof found !== 'string')(`${name}, ${ending}`, () => {
    if (typeof found !== 'string') suite(found);
  });
}
