import type * as z from 'zod';
import { dependantKey, type Dependant } from '../prober/dependant.ts';
import type { ProberConfig } from '../prober/prober-config.ts';
import { writePath, type ConfigProblem, type ConfigReading } from './config-remark.ts';
import { generationOf, generationProblems, generationWarnings } from './generation.ts';
import { misplacedConfig } from './misplaced-config.ts';
import { warningsOf } from './prober-warnings.ts';
import { readWritten, type WrittenReading } from './read-written.ts';
import { isMapping, listAt, valueAt } from '../value-at.ts';
import { ineffective, writtenProberConfig, writtenTwoPathConfig } from './written-prober-config.ts';

/**
 * Reads the prober's configuration out of what a YAML parser made of the operator's text (SPEC 2): every default
 * filled in, or every problem at once. `strict` as in SPEC 2.1.
 */
export function readProberConfig(written: unknown, { strict = false } = {}): ConfigReading<ProberConfig> {
  const misplaced = misplacedConfig(written, 'prober');
  if (misplaced !== undefined) return { ok: false, problems: [misplaced], warnings: [] };
  const reading = readGeneration(written, strict);
  const { value, defaults } = reading;

  const ofGeneration = isMapping(value) ? generationProblems(value) : [];
  const explained = new Set(ofGeneration.map(({ path }) => writePath(path)));
  const problems = [
    ...ofGeneration,
    ...reading.problems.filter(({ path }) => !explained.has(writePath(path))),
    ...sameResourceProblems(value),
  ];
  const warnings = [
    ...reading.warnings,
    ...reading.deprecated.map((path) => ({ path, text: 'has no effect' })),
    ...generationWarnings(value),
    ...defaults
      .filter((path) => path.at(-1) === 'level' && valueAt(written, ...path) !== null)
      .map((path) => ({ path, text: 'is missing, and counts as 0' })),
  ];
  const config = reading.config === undefined ? undefined : toConfig(reading.config);
  if (config === undefined || problems.length > 0) return { ok: false, problems, warnings };

  return {
    ok: true,
    config,
    defaults: defaults.filter(([key = '']) => ineffective(String(key), generationOf(value)) === undefined),
    warnings: [...warnings, ...warningsOf(config)],
  };
}

type Written = z.output<typeof writtenProberConfig>;

/** The names of Secrets, whose spelling the schema knows, say by which defaults to read. */
function readGeneration(written: unknown, strict: boolean): WrittenReading<Written> {
  const reading = readWritten(writtenProberConfig, written, { strict });
  switch (generationOf(reading.value)) {
    case 'leases':
      return reading;
    case 'twoPaths':
      return readWritten(writtenTwoPathConfig, written, { strict });
  }
}

/** Undefined where no generation has all its names. */
function toConfig(written: Written): ProberConfig | undefined {
  const {
    kubeConfigSecretName,
    internalKubeConfigSecretName,
    externalKubeConfigSecretName,
    internalProbeFailureBackOffDuration,
    dependentResourceInfos,
    // They have no effect.
    name: _name,
    namespace: _namespace,
    ...either
  } = written;
  const dependants: Dependant[] = dependentResourceInfos.map(({ ref, optional, scaleUp, scaleDown }) => ({
    key: dependantKey(ref),
    ref,
    optional,
    scaleUp: { level: scaleUp.level, initialDelay: scaleUp.initialDelay, timeout: scaleUp.timeout },
    scaleDown: { level: scaleDown.level, initialDelay: scaleDown.initialDelay, timeout: scaleDown.timeout },
  }));
  if (internalKubeConfigSecretName !== undefined && externalKubeConfigSecretName !== undefined) {
    return {
      internalKubeConfigSecretName,
      externalKubeConfigSecretName,
      internalProbeFailureBackOffDuration,
      ...either,
      dependants,
    };
  }
  return kubeConfigSecretName === undefined ? undefined : { kubeConfigSecretName, ...either, dependants };
}

function sameResourceProblems(written: unknown): ConfigProblem[] {
  const seen = new Map<string, number>();
  return listAt(written, 'dependentResourceInfos').flatMap((resource, index) => {
    const ref = ['apiVersion', 'kind', 'name'].map((key) => valueAt(resource, 'ref', key));
    if (!ref.every((part) => typeof part === 'string')) return [];
    const first = seen.get(ref.join('/'));
    if (first === undefined) seen.set(ref.join('/'), index);
    if (first === undefined) return [];
    const found = `${ref[1]} ${ref[2]}, as in dependentResourceInfos[${first}]`;
    return [{ path: ['dependentResourceInfos', index, 'ref'], found, wanted: 'each resource once' }];
  });
}
