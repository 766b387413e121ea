import process from 'node:process';
import packageJson from '../../../package.json' with { type: 'json' };
import { journal, type Journal } from '../../adapters/journal/journal.ts';
import type { Clock } from '../../effects/ports.ts';
import type { RoleName } from '../role/role.ts';

/** The journal of a simulated role, as the role itself would keep it; its trouble is told to the operator. */
export function storyJournal(
  options: Readonly<{
    clock: Clock;
    role: RoleName;
    configuration: unknown;
    dir: string | undefined;
    say: (line: string) => void;
  }>,
): Journal {
  const { clock, role, configuration, dir, say } = options;
  return journal({
    clock,
    program: { role, version: packageJson.version, processId: process.pid, configuration },
    dir,
    say: (_level, message) => say(message),
    onDropped: ({ reason, turns }) => say(`${turns} turns are missing in the journal: ${reason}`),
    onWriteFailed: () => undefined,
  });
}
