import { setTimeout as pause } from 'node:timers/promises';
import type { StartedRole } from '../../real/started-role.ts';
import { reportOnce } from '../support/started-seed.ts';
import type { Measure } from './measure.ts';
import { onSeed, type StagedSeed } from './staged-seed.ts';

const longest = 90_000;

/** A program that is started, and then ended and started again, as in a rollout with one replica. */
export function restart({ shoots }: Readonly<{ shoots: number }>): Measure {
  return {
    name: `start and restart among ${shoots} shoots, probed every 10 s`,
    figures: [
      { what: 'from start to the first question to a shoot', unit: 's' },
      { what: 'from start until all shoots have been asked', unit: 's' },
      { what: 'from SIGTERM to the end of the process', unit: 's' },
      { what: 'from SIGTERM to the first question of the next process', unit: 's' },
    ],
    play: (command) =>
      onSeed({ command, shoots, nodes: 5, interval: '10s', delay: '30s' }, async (staged) => {
        const { seed } = staged;
        await using program = await staged.startProber();
        await staged.asksAll(program, longest);
        const { asked } = await seed.report(program.startedAt);
        const toldAt = Date.now();
        program.kill('SIGTERM');
        await program.ended;
        const endedAt = Date.now();
        await using next = await staged.startProber();
        const firstAt = await firstQuestion(staged, next, next.startedAt);
        return [
          secondsFrom(program.startedAt, asked.first),
          secondsFrom(program.startedAt, asked.all),
          secondsFrom(toldAt, endedAt),
          secondsFrom(toldAt, firstAt),
        ];
      }),
  };
}

type End = Readonly<{ how: string; signal: NodeJS.Signals }>;
export const gracefulEnd: End = { how: 'a graceful end', signal: 'SIGTERM' };
export const crash: End = { how: 'a crash', signal: 'SIGKILL' };

/** Two replicas; the one that leads ends. Who leads is what the Lease says. */
export function failOver({ shoots, ends }: Readonly<{ shoots: number; ends: readonly End[] }>): Measure {
  return {
    name: `fail-over among ${shoots} shoots, probed every 10 s`,
    figures: ends.flatMap(({ how }) => [
      { what: `after ${how}: until the Lease has another holder`, unit: 's' },
      { what: `after ${how}: until the first question to a shoot`, unit: 's' },
    ]),
    play: async (command) => {
      const values: (number | undefined)[] = [];
      for (const { signal } of ends)
        values.push(
          ...(await onSeed({ command, shoots, nodes: 5, interval: '10s', delay: '30s' }, (staged) =>
            endLeader(staged, signal),
          )),
        );
      return values;
    },
  };
}

async function endLeader(staged: StagedSeed, signal: NodeJS.Signals): Promise<readonly (number | undefined)[]> {
  const { seed } = staged;
  await using leader = await staged.startProber();
  await staged.asksAll(leader, longest);
  const { leader: before } = await seed.report();
  if (before === '') throw new Error('its Lease has no holder');
  await using standby = await staged.startProber();
  // Long enough for the standby to have its lists, and to have seen the Lease being renewed.
  await pause(6_000);
  standby.refuseEnd();
  const endedAt = Date.now();
  leader.kill(signal);
  const isNew = (holder: string): boolean => holder !== '' && holder !== before;
  const { leader: after } = await reportOnce(seed, ({ leader: holder }) => isNew(holder), endedAt + longest);
  if (!isNew(after)) throw new Error(`nobody took the Lease over after ${signal}`);
  const heldAt = Date.now();
  await leader.ended;
  // A leader that is being ended may still have asked, but nobody asks between its end and the next one's lead.
  const firstAt = await firstQuestion(staged, standby, heldAt - 100);
  return [secondsFrom(endedAt, heldAt), secondsFrom(endedAt, firstAt)];
}

async function firstQuestion({ seed }: StagedSeed, program: StartedRole, since: number): Promise<number | undefined> {
  const { asked } = await reportOnce(
    seed,
    (report) => {
      program.refuseEnd();
      return report.asked.first !== undefined;
    },
    Date.now() + longest,
    since,
  );
  return asked.first;
}

function secondsFrom(start: number, at: number | undefined): number | undefined {
  return at === undefined ? undefined : (at - start) / 1_000;
}
