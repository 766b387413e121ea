import { costOf } from '../support/process-cost.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { distributionOf } from '../support/distribution.ts';
import { type Healing, type SeedOutage, reportOnce, type StartedSeed } from '../support/started-seed.ts';
import type { StartedRole } from '../../real/started-role.ts';
import type { Figure, Measure } from './measure.ts';
import { onSeed } from './staged-seed.ts';

/** `oneByOne`: so many outages, each by itself; the README shows two figures of those. */
function down(oneByOne?: number): readonly Figure[] {
  const shown = (row: string, write: (value: number) => string): Pick<Figure, 'readme'> =>
    oneByOne === undefined ? {} : { readme: { row, write } };
  return [
    { what: 'from the threshold to the first write, median', unit: 'ms' },
    { what: 'from the threshold to the first write, worst', unit: 'ms' },
    {
      what: 'from the threshold to the kube-controller-manager at 0, median',
      unit: 'ms',
      ...shown('from enough old leases to kube-controller-manager at 0, median', asSeconds),
    },
    { what: 'from the threshold to the kube-controller-manager at 0, worst', unit: 'ms' },
    {
      what: 'kube-controller-managers gone before a node could be marked',
      unit: 'shoots',
      ...shown('outages in which no node could be marked', (count) => `${count.toFixed(0)} of ${oneByOne}`),
    },
  ];
}

function asSeconds(millis: number): string {
  return `${(millis / 1_000).toFixed(millis < 10_000 ? 1 : 0)} s`;
}

const up = [
  { what: 'from the healing until all is asked for as before, median', unit: 's' },
  { what: 'from the healing until all is back with ready pods, median', unit: 's' },
  { what: 'from the healing until all is back with ready pods, worst', unit: 's' },
  { what: 'back as before', unit: 'shoots' },
];
const cpu = { what: 'CPU, way down', unit: 'ms a shoot' };

/** Shoots that are cut off and healed one by one, each at a moment of its own, in a watchdog that has run for a while. */
export function singleOutages({
  shoots,
  nodes,
  interval,
  delay,
  limit,
}: Readonly<{ shoots: number; nodes: number; interval: number; delay: number; limit: number }>): Measure {
  const over = interval * 1_000;
  return {
    name: `${shoots} outages and healings at random phases, probed every ${interval} s, configured delay ${delay} s`,
    figures: [...down(shoots), ...up],
    play: (command) =>
      onSeed({ command, shoots, nodes, interval: `${interval}s`, delay: `${delay}s` }, async (staged) => {
        const { seed } = staged;
        await using program = await staged.startProber();
        await staged.asksAll(program, 3 * over + 30_000);
        await pause(over);
        await seed.cutOff({ over });
        const outages = await untilGone(seed, program, over + limit);
        // A long outage ends at any moment between two probes.
        await pause(Math.min(over, 15_000));
        const healed = await untilBack(seed, program, over, delay * 1_000 + limit);
        return [...downValues(outages), ...upValues(healed)];
      }),
  };
}

/** All shoots of a seed are cut off at once, and healed at once. */
export function allAtOnce({
  shoots,
  nodes,
  limit,
}: Readonly<{ shoots: number; nodes: number; limit: number }>): Measure {
  return {
    name: `${shoots} shoots cut off and healed at once, probed every 10 s, no configured delay, pods ready at once`,
    figures: [...down(), cpu, ...up],
    play: (command) =>
      onSeed({ command, shoots, nodes, interval: '10s', delay: '0s', podStart: 0 }, async (staged) => {
        const { seed } = staged;
        // As in `packages/lab/bench/outage.ts`: old enough that nobody waits, and young enough that the program is there in time.
        const youngest = Math.max(2_000, 14_000 - shoots * 8);
        const { outages: cut } = await seed.cutOff({ ages: [youngest, youngest + 10_000] });
        await using program = await staged.startProber();
        await pause(Math.max(0, Math.min(...cut.map(({ crossedAt }) => crossedAt)) - 500 - Date.now()));
        const before = costOf(program.pid);
        const outages = await untilGone(seed, program, limit);
        const after = costOf(program.pid);
        await pause(Math.min(limit, 10_000));
        const healed = await untilBack(seed, program, 0, limit);
        const spent = before && after && ((after.cpuSeconds - before.cpuSeconds) * 1_000) / shoots;
        return [...downValues(outages), spent, ...upValues(healed)];
      }),
  };
}

async function untilGone(seed: StartedSeed, program: StartedRole, limit: number): Promise<readonly SeedOutage[]> {
  const giveUpAt = Date.now() + limit + 40_000;
  const { outages } = await reportOnce(seed, (report) => report.outages.every(isGone), giveUpAt);
  program.refuseEnd();
  return outages;
}

async function untilBack(
  seed: StartedSeed,
  program: StartedRole,
  over: number,
  limit: number,
): Promise<readonly SeedOutage[]> {
  await seed.heal(over);
  const giveUpAt = Date.now() + over + limit;
  const { outages } = await reportOnce(seed, (report) => report.outages.every(isBack), giveUpAt);
  program.refuseEnd();
  return outages;
}

function isGone({ controllerManager }: SeedOutage): boolean {
  return controllerManager.goneAt !== undefined;
}

function isBack({ healing }: SeedOutage): boolean {
  return healing?.backAt !== undefined;
}

function downValues(outages: readonly SeedOutage[]): readonly (number | undefined)[] {
  const first = distribution(outages.map(({ firstWriteAt, crossedAt }) => minus(firstWriteAt, crossedAt)));
  const zero = distribution(outages.map((one) => minus(one.controllerManager.scaledAt, one.crossedAt)));
  const inTime = outages.filter(({ controllerManager: { goneAt }, firstMarkAt }) => (goneAt ?? Infinity) < firstMarkAt);
  return [first.median, first.worst, zero.median, zero.worst, inTime.length];
}

/** Counts only shoots that were down when they were healed: nobody brought the others back. */
function upValues(outages: readonly SeedOutage[]): readonly (number | undefined)[] {
  const healings = outages.filter(({ firstWriteAt }) => firstWriteAt !== undefined).map(({ healing }) => healing);
  const seconds = (name: keyof Healing): ReturnType<typeof distribution> =>
    distribution(healings.map((one) => minus(one?.[name], one?.healedAt)).map((ms) => ms && ms / 1_000));
  const [asked, back] = [seconds('askedAt'), seconds('backAt')];
  return [asked.median, back.median, back.worst, healings.filter((one) => one?.backAt !== undefined).length];
}

/** Of those that came about. */
function distribution(values: readonly (number | undefined)[]): Readonly<{ median: number; worst: number }> {
  return distributionOf(values.filter((value) => value !== undefined));
}

function minus(at: number | undefined, since: number | undefined): number | undefined {
  return at === undefined || since === undefined ? undefined : at - since;
}
