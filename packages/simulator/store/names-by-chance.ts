import type { Chance } from 'dependency-watchdog/effects/ports.ts';

/** Kubernetes leaves out vowels and look-alikes, so that no word comes out by accident. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** Five letters, as `generateName` ends. */
export function randomSuffix(chance: Chance): string {
  return Array.from({ length: 5 }, () => letters[Math.floor(chance() * letters.length)] ?? 'x').join('');
}

/** A version 4 UUID. */
export function newUid(chance: Chance): string {
  const hex = newToken(chance);
  const variant = '89ab'[Math.floor(chance() * 4)] ?? '8';
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, variant + hex.slice(17, 20), hex.slice(20)].join(
    '-',
  );
}

/** 32 hexadecimal digits. */
export function newToken(chance: Chance): string {
  const part = (): string =>
    Math.floor(chance() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return part() + part() + part() + part();
}
