import type * as z from 'zod';
import { dependantKey, type Dependant } from '../dependant.ts';
import type { ProberConfig } from '../prober-config.ts';
import {
  writePath,
  type ConfigProblem,
  type ConfigReading,
  type ConfigWarning,
  type KeyPath,
} from './config-remark.ts';
import { matchKeys } from './known-keys.ts';
import { warningsOf } from './prober-warnings.ts';
import { showValue } from './show-value.ts';
import { writtenProberConfig } from './written-prober-config.ts';

const newerName = 'kubeConfigSecretName';
const olderNames = ['internalKubeConfigSecretName', 'externalKubeConfigSecretName'] as const;
const olderBackOff = 'internalProbeFailureBackOffDuration';

/**
 * Reads the prober's configuration out of what a YAML parser made of the operator's text (SPEC 2): every default
 * filled in, or every problem at once. `strict` makes unknown keys problems (SPEC 2.1).
 */
export function readProberConfig(written: unknown, { strict = false } = {}): ConfigReading<ProberConfig> {
  const known = matchKeys(writtenProberConfig, written);
  const parsed = writtenProberConfig.safeParse(known.value);
  const unknown = known.warnings.filter(({ nearestKey }) => nearestKey !== undefined);

  const problems = [
    ...known.problems,
    ...generationProblems(known.value),
    ...(parsed.success ? [] : valueProblems(parsed.error.issues, known.value)),
    ...sameResourceProblems(known.value),
    ...(strict ? unknown.map(asProblem) : []),
  ];
  const warnings = [
    ...known.warnings.filter((warning) => !strict || !unknown.includes(warning)),
    ...known.deprecated
      .filter((path) => hasNoEffect(path, known.value))
      .map((path) => ({ path, text: 'has no effect' })),
    ...known.defaults
      .filter((path) => path.at(-1) === 'level')
      .map((path) => ({ path, text: 'is missing, and counts as 0' })),
  ];
  if (!parsed.success || problems.length > 0) return { ok: false, problems, warnings };

  const config = toConfig(parsed.data);
  const defaults = known.defaults.filter(([key]) => key !== olderBackOff);
  return { ok: true, config, defaults, warnings: [...warnings, ...warningsOf(config)] };
}

function toConfig(written: z.output<typeof writtenProberConfig>): ProberConfig {
  const dependants: Dependant[] = written.dependentResourceInfos.map(({ ref, optional, scaleUp, scaleDown }) => ({
    key: dependantKey(ref),
    ref,
    optional,
    scaleUp: { level: scaleUp.level, initialDelay: scaleUp.initialDelay, timeout: scaleUp.timeout },
    scaleDown: { level: scaleDown.level, initialDelay: scaleDown.initialDelay, timeout: scaleDown.timeout },
  }));
  return {
    kubeConfigSecretName: written.kubeConfigSecretName,
    probeInterval: written.probeInterval,
    initialDelay: written.initialDelay,
    probeTimeout: written.probeTimeout,
    backoffJitterFactor: written.backoffJitterFactor,
    kcmNodeMonitorGraceDuration: written.kcmNodeMonitorGraceDuration,
    nodeLeaseFailureFraction: written.nodeLeaseFailureFraction,
    failureThreshold: written.failureThreshold,
    successThreshold: written.successThreshold,
    dependants,
  };
}

/** One key can break several bounds; it is told once. What `generationProblems` explains better is left to it. */
function valueProblems(issues: readonly z.core.$ZodIssue[], written: unknown): ConfigProblem[] {
  const problems = new Map<string, ConfigProblem>();
  for (const issue of issues) {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
    const found = valueAt(written, path);
    if (path[0] === newerName && found === undefined && olderNamesIn(written).length > 0) continue;
    problems.set(writePath(path), { path, found: showValue(found), wanted: issue.message });
  }
  return [...problems.values()];
}

function generationProblems(written: unknown): ConfigProblem[] {
  const older = olderNamesIn(written);
  const newer = valueAt(written, [newerName]);
  return older.map((name) => ({
    path: [name],
    found: showValue(valueAt(written, [name])),
    wanted:
      newer === undefined
        ? `${newerName} instead: probing through an internal and an external kubeconfig is not built yet`
        : `nothing: it belongs to the older generation of the configuration, and does not go together with ${newerName}`,
  }));
}

function sameResourceProblems(written: unknown): ConfigProblem[] {
  const resources = valueAt(written, ['dependentResourceInfos']);
  if (!Array.isArray(resources)) return [];
  const seen = new Map<string, number>();
  return resources.flatMap((resource: unknown, index) => {
    const ref = ['apiVersion', 'kind', 'name'].map((key) => valueAt(resource, ['ref', key]));
    if (!ref.every((part) => typeof part === 'string')) return [];
    const first = seen.get(ref.join('/'));
    if (first === undefined) seen.set(ref.join('/'), index);
    if (first === undefined) return [];
    const found = `${ref[1]} ${ref[2]}, as in dependentResourceInfos[${first}]`;
    return [{ path: ['dependentResourceInfos', index, 'ref'], found, wanted: 'each resource once' }];
  });
}

function asProblem({ path, nearestKey = '' }: ConfigWarning): ConfigProblem {
  return { path, found: 'an unknown key', wanted: `${nearestKey}, the nearest known key, or nothing` };
}

/** The older names are refused instead; the older back-off is idle beside the newer name only. */
function hasNoEffect([key]: KeyPath, written: unknown): boolean {
  if (key === olderBackOff) return olderNamesIn(written).length === 0;
  return !olderNames.some((name) => name === key);
}

function olderNamesIn(written: unknown): readonly string[] {
  return olderNames.filter((name) => valueAt(written, [name]) !== undefined);
}

function valueAt(written: unknown, path: KeyPath): unknown {
  let value = written;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return value;
}
