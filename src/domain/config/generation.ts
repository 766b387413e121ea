import { valueAt } from '../value-at.ts';
import { type ConfigProblem, type ConfigWarning, showValue } from './config-remark.ts';

/** What shoots are judged by: their leases, or, in the older generation, two paths to their API server (SPEC 2.2). */
export type Generation = 'leases' | 'twoPaths';

const newerName = 'kubeConfigSecretName';
const olderNames = ['internalKubeConfigSecretName', 'externalKubeConfigSecretName'] as const;
const bothOlder = olderNames.join(' and ');

/** Keys that say nothing in a generation, and why. */
const withoutEffect: Readonly<Record<Generation, Readonly<Record<string, string>>>> = {
  leases: { internalProbeFailureBackOffDuration: `it belongs to the two paths of ${bothOlder}` },
  twoPaths: { nodeLeaseFailureFraction: `with ${bothOlder} no lease is judged` },
};

/** Told by the names of Secrets. Keys are spelt as the schema spells them, and what has no value is not there. */
export function generationOf(written: unknown): Generation {
  return olderNames.some((name) => isIn(written, name)) ? 'twoPaths' : 'leases';
}

export function hasEffect(key: string | number | undefined, generation: Generation): boolean {
  return key === undefined || !Object.hasOwn(withoutEffect[generation], key);
}

/** Both generations at once, one of the two older names alone, or no name at all (SPEC 2.2). */
export function generationProblems(written: unknown): ConfigProblem[] {
  const older = olderNames.filter((name) => isIn(written, name));
  const missing = olderNames.filter((name) => !isIn(written, name));
  if (isIn(written, newerName)) {
    const wanted =
      `nothing beside ${newerName}: either that one alone, and shoots are judged by their leases; or ` +
      `${bothOlder}, and they are judged by two paths`;
    return older.map((name) => ({ path: [name], found: showValue(valueAt(written, name)), wanted }));
  }
  const [given] = older;
  if (given === undefined) {
    const wanted = `the name of the Secret with the shoot's kubeconfig; or, in its place, ${bothOlder}`;
    return [{ path: [newerName], found: 'nothing', wanted }];
  }
  const wanted = `the name of the Secret for the other path, since ${given} is there; or ${newerName} in place of both`;
  return missing.map((name) => ({ path: [name], found: 'nothing', wanted }));
}

/** What is there and says nothing in this generation. */
export function generationWarnings(written: unknown): ConfigWarning[] {
  return Object.entries(withoutEffect[generationOf(written)])
    .filter(([key]) => isIn(written, key))
    .map(([key, reason]) => ({ path: [key], text: `has no effect: ${reason}` }));
}

function isIn(written: unknown, key: string): boolean {
  return valueAt(written, key) !== undefined;
}
