import { durationKeys } from '../../domain/config/config-fields.ts';
import { writtenWeederConfig } from '../../domain/config/read-weeder-config.ts';
import { writtenProberConfig } from '../../domain/config/written-prober-config.ts';
import { writeGoDuration } from '../../domain/go-duration.ts';

const lengths: ReadonlySet<string> = new Set([writtenProberConfig, writtenWeederConfig].flatMap(durationKeys));

/** A configuration as the log and `validate` show it: lengths of time as the operator writes them, with their units (SPEC 9.4). */
export function loggedConfig(config: unknown): unknown {
  if (Array.isArray(config)) return config.map(loggedConfig);
  if (typeof config !== 'object' || config === null) return config;
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      typeof value === 'number' && lengths.has(key) ? writeGoDuration(value) : loggedConfig(value),
    ]),
  );
}
