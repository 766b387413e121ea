/** `1 lease`, `5 leases`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `0.3 s`, `31.2 s`; from two minutes on `2m05s`. */
export function seconds(millis: number): string {
  if (Math.abs(millis) < 120_000) return `${(millis / 1_000).toFixed(1)} s`;
  const whole = Math.round(millis / 1_000);
  return `${Math.trunc(whole / 60)}m${String(Math.abs(whole % 60)).padStart(2, '0')}s`;
}
