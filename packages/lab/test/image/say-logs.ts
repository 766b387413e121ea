import process from 'node:process';
import type { TestContext } from 'vitest';
import type { Pod } from './pod.ts';

/** Where a test has failed: what each container said last, since that is what one wants to know first. */
export function sayLogsOf(pods: readonly Pod[], { result }: TestContext['task']): void {
  if (result?.state !== 'fail') return;
  for (const { name, said } of pods) process.stderr.write(`\n--- ${name} said last:\n${said.slice(-4_000)}\n`);
}
