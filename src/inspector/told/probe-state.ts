/** The state of the probe's region in what a snapshot of a shoot has as its `value`; undefined where there is none. */
export function probeStateOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'probe' in value ? value.probe : undefined;
}
