import type * as z from 'zod';
import { dependantKey, type Dependant } from '../prober/dependant.ts';
import type { ProberConfig } from '../prober/prober-config.ts';
import type { ConfigProblem, ConfigReading, KeyPath } from './config-remark.ts';
import { misplacedConfig } from './misplaced-config.ts';
import { warningsOf } from './prober-warnings.ts';
import { readWritten } from './read-written.ts';
import { showValue } from './show-value.ts';
import { valueAt } from '../value-at.ts';
import { writtenProberConfig } from './written-prober-config.ts';

const newerName = 'kubeConfigSecretName';
const olderNames = ['internalKubeConfigSecretName', 'externalKubeConfigSecretName'] as const;
const olderBackOff = 'internalProbeFailureBackOffDuration';

/**
 * Reads the prober's configuration out of what a YAML parser made of the operator's text (SPEC 2): every default
 * filled in, or every problem at once. `strict` as in SPEC 2.1.
 */
export function readProberConfig(written: unknown, { strict = false } = {}): ConfigReading<ProberConfig> {
  const misplaced = misplacedConfig(written, 'prober');
  if (misplaced !== undefined) return { ok: false, problems: [misplaced], warnings: [] };
  const reading = readWritten(writtenProberConfig, written, { strict });
  const { value, defaults } = reading;

  const problems = [
    ...generationProblems(value),
    ...reading.problems.filter(({ path }) => !isExplainedByGeneration(path, value)),
    ...sameResourceProblems(value),
  ];
  const warnings = [
    ...reading.warnings,
    ...reading.deprecated.filter((path) => hasNoEffect(path, value)).map((path) => ({ path, text: 'has no effect' })),
    ...defaults
      .filter((path) => path.at(-1) === 'level' && valueAt(written, ...path) !== null)
      .map((path) => ({ path, text: 'is missing, and counts as 0' })),
  ];
  if (reading.config === undefined || problems.length > 0) return { ok: false, problems, warnings };

  const config = toConfig(reading.config);
  return {
    ok: true,
    config,
    defaults: defaults.filter(([key]) => key !== olderBackOff),
    warnings: [...warnings, ...warningsOf(config)],
  };
}

function toConfig(written: z.output<typeof writtenProberConfig>): ProberConfig {
  const dependants: Dependant[] = written.dependentResourceInfos.map(({ ref, optional, scaleUp, scaleDown }) => ({
    key: dependantKey(ref),
    ref,
    optional,
    scaleUp: { level: scaleUp.level, initialDelay: scaleUp.initialDelay, timeout: scaleUp.timeout },
    scaleDown: { level: scaleDown.level, initialDelay: scaleDown.initialDelay, timeout: scaleDown.timeout },
  }));
  const { internalKubeConfigSecretName, externalKubeConfigSecretName, internalProbeFailureBackOffDuration } = written;
  const either = {
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
  if (internalKubeConfigSecretName === undefined || externalKubeConfigSecretName === undefined)
    return { kubeConfigSecretName: written.kubeConfigSecretName ?? '', ...either };
  return { internalKubeConfigSecretName, externalKubeConfigSecretName, internalProbeFailureBackOffDuration, ...either };
}

function generationProblems(written: unknown): ConfigProblem[] {
  const older = olderNamesIn(written);
  const newer = valueAt(written, newerName);
  if (newer === undefined) return [];
  return older.map((name) => ({
    path: [name],
    found: showValue(valueAt(written, name)),
    wanted:
      newer === undefined
        ? `${newerName} instead: probing through an internal and an external kubeconfig is not built yet`
        : `nothing: it belongs to the older generation of the configuration, and does not go together with ${newerName}`,
  }));
}

function sameResourceProblems(written: unknown): ConfigProblem[] {
  const resources = valueAt(written, 'dependentResourceInfos');
  if (!Array.isArray(resources)) return [];
  const seen = new Map<string, number>();
  return resources.flatMap((resource: unknown, index) => {
    const ref = ['apiVersion', 'kind', 'name'].map((key) => valueAt(resource, 'ref', key));
    if (!ref.every((part) => typeof part === 'string')) return [];
    const first = seen.get(ref.join('/'));
    if (first === undefined) seen.set(ref.join('/'), index);
    if (first === undefined) return [];
    const found = `${ref[1]} ${ref[2]}, as in dependentResourceInfos[${first}]`;
    return [{ path: ['dependentResourceInfos', index, 'ref'], found, wanted: 'each resource once' }];
  });
}

/** Without the newer name, the problem is the older ones, not that the newer one is absent. */
function isExplainedByGeneration([key]: KeyPath, written: unknown): boolean {
  return key === newerName && valueAt(written, newerName) === undefined && olderNamesIn(written).length > 0;
}

/** The older names are refused instead. The older back-off is unused only beside the newer name. */
function hasNoEffect([key]: KeyPath, written: unknown): boolean {
  if (key === olderBackOff) return olderNamesIn(written).length === 0;
  return !olderNames.some((name) => name === key);
}

function olderNamesIn(written: unknown): readonly string[] {
  return olderNames.filter((name) => valueAt(written, name) !== undefined);
}
