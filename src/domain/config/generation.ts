import { valueAt } from '../value-at.ts';
import { ineffective, olderNames, writtenProberConfig, type Generation } from './written-prober-config.ts';
import { type ConfigProblem, type ConfigWarning, showValue } from './config-remark.ts';

const newerName = 'kubeConfigSecretName';
const bothOlder = olderNames.join(' and ');

/** Told by the names of Secrets. Keys are spelt as the schema spells them, and what has no value is not there. */
export function generationOf(written: unknown): Generation {
  return olderNames.some((name) => isIn(written, name)) ? 'twoPaths' : 'leases';
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
  const generation = generationOf(written);
  return Object.keys(writtenProberConfig.shape).flatMap((key) => {
    const because = ineffective(key, generation);
    return because === undefined || !isIn(written, key) ? [] : [{ path: [key], text: `has no effect: ${because}` }];
  });
}

function isIn(written: unknown, key: string): boolean {
  return valueAt(written, key) !== undefined;
}
