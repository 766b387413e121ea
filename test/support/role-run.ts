import process from 'node:process';
import { seededChance } from '../../src/adapters/clock/chance.ts';
import type { Later } from '../../src/adapters/record/facts/turns.ts';
import { runProberRole } from '../../src/commands/role/prober-role.ts';
import { readRoleFlags } from '../../src/commands/role/role-flags.ts';
import type { RoleName } from '../../src/domain/names.ts';
import { runWeederRole } from '../../src/commands/role/weeder-role.ts';
import type { HastyClock } from '@dwd/testing/hasty-clock.ts';
import { heardDial, HeardOutput } from './heard-output.ts';
import { isOfKind, type LogLine } from '@dwd/testing/program.ts';
import { ShiftedClock } from './shifted-clock.ts';

/** What a role wrote, and how it ended. It runs within this process, and otherwise as `main.ts` runs it. */
export class RoleRun {
  readonly lines: LogLine[] = [];
  /** What it wrote for the operator's eyes. */
  readonly said: string[] = [];
  readonly output = new HeardOutput((line) => void this.lines.push(JSON.parse(line) as LogLine));
  readonly wall: ShiftedClock;
  readonly steady: ShiftedClock;
  /** Requests to the seed, in the order in which they were written to a connection, and how many lines the role had written before. */
  readonly sent: Readonly<{ method: string; linesBefore: number }>[] = [];
  code: number | undefined;
  failed: unknown;
  readonly #deaf: (() => void)[];

  constructor(role: RoleName, args: readonly string[], clock: HastyClock, seedNumber: number, later?: Later) {
    this.wall = new ShiftedClock(clock);
    this.steady = new ShiftedClock(clock);
    const before = process.listeners('SIGTERM');
    const io = { out: (line: string) => void this.said.push(line), err: (line: string) => void this.said.push(line) };
    const surroundings = {
      clock: this.wall,
      steady: this.steady,
      chance: seededChance(seedNumber),
      output: this.output,
      dial: heardDial(({ method }) => ({
        sent: () => void this.sent.push({ method, linesBefore: this.lines.length }),
      })),
      ...(later && { later }),
    };
    const read = readRoleFlags(role, args);
    if (!read.ok) throw new Error(read.message);
    const run = role === 'prober' ? runProberRole : runWeederRole;
    run(read.flags, { ...io, env: {} }, surroundings).then(
      (code) => (this.code = code),
      (error: unknown) => (this.failed = error),
    );
    // Only its own listeners: the test runner may listen as well.
    this.#deaf = process.listeners('SIGTERM').filter((one) => !before.includes(one)) as (() => void)[];
  }

  get isOver(): boolean {
    return this.code !== undefined || this.failed !== undefined;
  }

  terminate(): void {
    for (const hear of this.#deaf) hear();
  }

  find(kind: string | RegExp, fields: Readonly<Record<string, unknown>> = {}): LogLine | undefined {
    const wanted = Object.entries(fields);
    return this.lines.find((line) => isOfKind(line, kind) && wanted.every(([key, one]) => line[key] === one));
  }
}
