/**
 * What a turn costs when a thousand come in a second: the machine, and each observer by itself, in CPU and in bytes that become garbage. The
 * turns are those of shoots that are cut off and heal, as the simulation plays them, mixed as if all were cut off at once. Aim: at most
 * 0.1 ms a turn in all, a tenth of a core.
 *
 *     node packages/lab/bench/turn-cost.ts [--shoots 500] [--rounds 5]
 */
import process from 'node:process';
import { getHeapStatistics } from 'node:v8';
import { followEpisodes } from '@dwd/inspector/episodes/all-episodes.ts';
import { journal } from 'dependency-watchdog/adapters/record/journal/journal.ts';
import { createLog } from 'dependency-watchdog/adapters/record/log/log.ts';
import { rollCall } from 'dependency-watchdog/adapters/record/log/roll-call.ts';
import { turnLog } from 'dependency-watchdog/adapters/record/log/turn-log.ts';
import { createMetrics } from 'dependency-watchdog/adapters/record/metrics/metrics.ts';
import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import { liveHistory } from '@dwd/inspector/serve/live-history.ts';
import { pureMachines } from 'dependency-watchdog/machines/kinds.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { flags, say } from './support/flags.ts';

const { shoots, rounds } = flags({ shoots: 500, rounds: 5 });

const turns = await outageOfAll();
/** Shared by the turns of all shoots, as they stand before each event. */
const snapshots = new Map(turns.map(({ before }) => [before, before && pureMachines.shoot.restore(before)]));
const clock = new VirtualClock(turns[0]?.at ?? 0);
const nothing = () => undefined;
const log = createLog({ level: 'info', clock, write: nothing });

/** Each begins afresh in each round. */
const readers: Readonly<Record<string, () => (turn: ShootTurn) => void>> = {
  'the machine': () => takeAgain,
  metrics: () => createMetrics('prober').observe,
  'the log': () => turnLog(log),
  'the roll': () => rollCall({ log, clock, nobody: 'no shoot' }).observe,
  'what happened': () => {
    const courses = followEpisodes();
    return (turn) => courses.take(turn, 'run');
  },
  'the journal': () => journalInMemory().observe,
  'the inspector': () => liveHistory({ version: 'bench', now: () => clock.now(), journal: journalInMemory() }).observe,
};

say(`${turns.length} turns of ${shoots} shoots that are cut off at once and heal, ${rounds} rounds`);
let micros = 0;
let bytes = 0;
for (const [name, begin] of Object.entries(readers)) {
  const costs = Array.from({ length: rounds + 1 }, () => costOf(begin()));
  // The first round warms up. The least of the others, because anything else on this machine can only add to it.
  const measured = costs.slice(1);
  const least = Math.min(...measured.map((cost) => cost.micros));
  const allocated = Math.min(...measured.map((cost) => cost.bytes));
  micros += least;
  bytes += allocated;
  show(name, least, allocated);
}
show('all together', micros, bytes);
const line = Math.min(...Array.from({ length: rounds + 1 }, () => costOf(writesLine).micros));
say(`a line of the log: ${line.toFixed(1)} µs of CPU`);
// Metrics sample the event loop, and would keep the process.
process.exit();

function costOf(take: (turn: ShootTurn) => void): Readonly<{ micros: number; bytes: number }> {
  const before = process.cpuUsage();
  const allocated = getHeapStatistics().total_allocated_bytes;
  for (const turn of turns) take(turn);
  const { user, system } = process.cpuUsage(before);
  return {
    micros: (user + system) / turns.length,
    bytes: (getHeapStatistics().total_allocated_bytes - allocated) / turns.length,
  };
}

function show(name: string, cost: number, allocated: number): void {
  say(
    `${`${name}:`.padEnd(16)}${cost.toFixed(1).padStart(7)} µs of CPU a turn, ${(allocated / 1_024).toFixed(1).padStart(5)} KiB of objects`,
  );
}

/** One shoot's turns, played once, and told of all shoots, one turn of each after the other. */
async function outageOfAll(): Promise<readonly ShootTurn[]> {
  const guarded = new GuardedWorld(gardenerConfig);
  await guarded.pass(120_000);
  guarded.world.cutOff();
  await guarded.pass(120_000);
  guarded.world.heal();
  await guarded.pass(180_000);
  guarded.stop();
  const names = Array.from({ length: shoots }, (_, index) => `shoot--proj${index % 40}--name${index}`);
  let seq = 0;
  return guarded.turns.flatMap((turn) => names.map((subject) => ({ ...turn, subject, seq: ++seq })));
}

function writesLine({ subject, from, to, seq }: ShootTurn): void {
  log.info('state changed', { shoot: subject, from, to, expired: 3, candidates: 5, seq });
}

function takeAgain({ before, event }: ShootTurn): void {
  const snapshot = snapshots.get(before);
  if (snapshot === undefined || event.type === 'started' || event.type === 'ended') return;
  pureMachines.shoot.take(snapshot, event);
}

function journalInMemory() {
  const program = { role: 'prober', version: 'bench', processId: 1, configuration: gardenerConfig };
  return journal({ clock, program, say: nothing, onDropped: nothing, onWriteFailed: nothing });
}
