import { findProgram } from '../../programs/find-program.ts';
import { say } from './flags.ts';

/** Other watchdogs that a bench plays beside ours: each one's name and command, which is a shell's. `--peer-go` builds the Go watchdog, once. */
export async function peersOf(
  values: Readonly<{ 'peer-go': boolean; peer?: string }>,
): Promise<readonly (readonly [string, string])[]> {
  const { peer = '' } = values;
  return [
    ...(values['peer-go'] ? [['Go v1.7.0', `'${await findProgram('dependency-watchdog', { say })}'`] as const] : []),
    ...(peer === '' ? [] : [['peer', peer] as const]),
  ];
}
