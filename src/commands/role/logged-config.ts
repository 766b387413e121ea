import { writeGoDuration } from '../../domain/go-duration.ts';

/** The keys of both roles' configurations whose values are lengths of time. */
const lengths: ReadonlySet<string> = new Set([
  'probeInterval',
  'initialDelay',
  'probeTimeout',
  'kcmNodeMonitorGraceDuration',
  'internalProbeFailureBackOffDuration',
  'timeout',
  'watchDuration',
]);

/** A configuration as the log shows it: lengths of time as the operator writes them, with their units (SPEC 9.4). */
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
