import type { Instant } from '../domain/time.ts';

/** An instant as Kubernetes writes a MicroTime: with exactly six digits. */
export function microTime(at: Instant): string {
  const whole = Math.floor(at);
  const micros = Math.floor((at - whole) * 1_000);
  return `${new Date(whole).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}

/** An instant as Kubernetes writes a Time: in whole seconds. */
export function secondTime(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
