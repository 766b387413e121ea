/**
 * What the inspector costs: what its observer takes of the CPU of a prober that nobody looks at, beside all else that reads the turns; the
 * memory of a process of 1,000 shoots with 50 readers; and `inspect` of 400,000 turns of 1,000 shoots: how long until the link, until something and
 * all is shown, and its memory. Aims: at most 2 % of the CPU at 500 shoots without readers, 50 readers within 32 MiB, the link within 2 s, at most
 * 200 MiB as the image starts it.
 *
 *     node packages/lab/bench/inspector.ts [--shoots 1000] [--turns 400000] [--readers 50] [--seconds 10]
 *     node packages/lab/bench/inspector.ts --write FOLDER [--shoots 1000] [--turns 400000]
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { serveHttp } from 'dependency-watchdog/adapters/http/http-server.ts';
import { journal, type Journal } from 'dependency-watchdog/adapters/record/journal/journal.ts';
import { createLog } from 'dependency-watchdog/adapters/record/log/log.ts';
import { turnLog } from 'dependency-watchdog/adapters/record/log/turn-log.ts';
import { createMetrics } from 'dependency-watchdog/adapters/record/metrics/metrics.ts';
import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import { inspectorConnections, inspectorRoutes } from '@dwd/inspector/serve/inspector-routes.ts';
import { liveHistory } from '@dwd/inspector/serve/live-history.ts';
import { pageAssets } from '@dwd/inspector/serve/page-assets.ts';
import { pureMachines } from 'dependency-watchdog/machines/kinds.ts';
import type { About, Turns } from '@dwd/inspector/wire/wire.ts';
import { collectGarbage } from '@dwd/testing/collect-garbage.ts';
import { longShoot, writeCrowdedNight, playCalmNight } from '@dwd/testing/played-shoots.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { nightBegins } from '@dwd/testing/journal-driver.ts';
import { flags, say } from './support/flags.ts';
import { costOf } from './support/process-cost.ts';
import { ShippedProgram } from './support/shipped-program.ts';

const {
  shoots,
  turns,
  readers,
  seconds,
  /** Of the process that reads. */
  port,
  /** Writes such a journal into that folder, and nothing else. */
  write,
} = flags({ shoots: 1_000, turns: 400_000, readers: 50, seconds: 10, port: 0, write: '' });
/** A shoot is probed twice a minute, and each probe is two or three turns: woken, answered, and perhaps a look. */
const turnsPerSecondAt500 = 500 * 0.1;

const nothing = () => undefined;
const onFault = (error: unknown) => {
  throw error;
};

if (write !== '') await writeCrowdedNight(write, { shoots, turns, long: Math.min(5_000, turns / 4) });
else if (port === 0) {
  await observing();
  await reading();
  await filing();
  // Metrics sample the event loop, and would keep the process.
  process.exit();
} else readOn();

/** The turns of calm shoots, one of each after the other; a turn's own number comes when it is taken. */
async function calmTurns(each: number): Promise<readonly ShootTurn[]> {
  const night = await playCalmNight(each, nightBegins);
  const names = Array.from({ length: shoots }, (_, index) => `shoot--proj${index % 40}--name${index}`);
  return night.flatMap((turn) => names.map((subject) => ({ ...turn, subject })));
}

function keptInMemory(): Journal {
  const program = { role: 'prober', version: 'bench', processId: 1, configuration: gardenerConfig };
  return journal({ clock: systemClock, program, say: nothing, onDropped: nothing, onWriteFailed: nothing });
}

async function observing(): Promise<void> {
  const all = await calmTurns(30);
  const restored = new Map(all.map(({ before }) => [before, before && pureMachines.shoot.restore(before)]));
  const log = createLog({ level: 'info', clock: systemClock, write: () => undefined });
  const machine = ({ before, event }: ShootTurn): void => {
    const snapshot = restored.get(before);
    if (snapshot !== undefined && event.type !== 'started' && event.type !== 'ended')
      pureMachines.shoot.take(snapshot, event);
  };
  const others = [machine, createMetrics('prober').observe, turnLog(log), keptInMemory().observe];
  const rest = leastMicros(all, (turn) => others.forEach((take) => take(turn)));
  const own = leastMicros(all, liveHistory({ version: 'bench', now: () => 0, journal: keptInMemory() }).observe);
  say(`the observer of the inspector: ${own.toFixed(2)} µs of CPU a turn, nobody reads`);
  say(`machine, metrics, log and journal: ${rest.toFixed(1)} µs; ratio ${(own / rest).toFixed(4)}`);
  say(`at 500 shoots: ${((own * turnsPerSecondAt500) / 10_000).toFixed(4)} % of a core`);
}

/** Of several rounds, since anything else on this machine can only add to it. */
function leastMicros(all: readonly ShootTurn[], take: (turn: ShootTurn) => void): number {
  let seq = 0;
  const rounds = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (const turn of all) take({ ...turn, seq: ++seq });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / all.length;
  });
  return Math.min(...rounds);
}

/** Megabytes that the process needs, garbage aside. */
function needed(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_048_576;
}

async function reading(): Promise<void> {
  const all = await calmTurns(40);
  const kept = keptInMemory();
  const history = liveHistory({ version: 'bench', now: () => systemClock.now(), journal: kept });
  const server = await serveHttp({
    address: { host: '127.0.0.1', port: 0 },
    flag: '--bind-addr',
    ...inspectorRoutes({ history, page: pageAssets(), now: () => systemClock.now(), pace: systemClock, onFault }),
    mostConnections: inspectorConnections,
    onFault,
  });
  let seq = 0;
  const take = (count: number): void => {
    for (let index = 0; index < count; index++) {
      const turn = { ...(all[seq % all.length] as ShootTurn), seq: ++seq };
      kept.observe(turn);
      history.observe(turn);
    }
  };
  take(10 * shoots);
  const before = needed();
  const args = ['--port', String(server.port), '--readers', String(readers)];
  const child = fork(import.meta.filename, args, { execArgv: [] });
  await once(child, 'message');
  const cpu = process.cpuUsage();
  for (let tenth = 0; tenth < seconds * 10; tenth++) {
    take(shoots / 100);
    await pause(100);
  }
  const { user, system } = process.cpuUsage(cpu);
  const after = needed();
  child.kill();
  await server.close();
  say(
    `${readers} readers of ${shoots} shoots: ${(after - before).toFixed(1)} MiB more (${before.toFixed(0)} without any)`,
  );
  say(`  and ${((user + system) / 10_000 / seconds).toFixed(1)} % of a core, ${shoots / 10} turns a second included`);
}

/** The other process: opens streams, and reads whatever comes. */
function readOn(): void {
  let open = 0;
  for (let index = 0; index < readers; index++)
    request({ host: '127.0.0.1', port, path: '/events' }, (response) => {
      response.resume();
      open += 1;
      if (open === readers) process.send?.('all are open');
    })
      .on('error', () => undefined)
      .end();
}

/** A journal as a seed of so many shoots writes it, and `inspect` at work on it: what its user waits for, and what the kernel says it took. */
async function filing(): Promise<void> {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'dwd-bench-'));
  const dir = directory.path;
  // In a process of its own: what the turns were made of would slow down this one.
  const writer = fork(import.meta.filename, ['--write', dir, '--shoots', String(shoots), '--turns', String(turns)], {
    execArgv: ['--max-old-space-size=8000'],
  });
  await once(writer, 'exit');
  using shipped = await ShippedProgram.build();
  const { start, env } = shipped.asImage;
  const child = spawn(process.execPath, [...start, 'inspect', '--bind-addr=127.0.0.1:0', dir], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
  const began = performance.now();
  const since = () => `${((performance.now() - began) / 1_000).toFixed(1)} s`;
  try {
    const [printed] = (await once(child.stdout, 'data')) as [Buffer];
    const link = String(printed).trim();
    say(`${turns} turns of ${shoots} shoots from files: the link after ${since()}`);
    const first = await asked<About>(link, (about) => about.turns > 0);
    say(`  ${first.turns} of them shown after ${since()}`);
    await asked<About>(link, ({ reading }) => reading === null || reading.doing === 'replay');
    say(`  all shown after ${since()}`);
    const { replayed } = await asked<About>(link, ({ reading }) => reading === null);
    const cost = costOf(child.pid);
    say(`  ${replayed?.checked} replayed after ${since()}, ${cost?.cpuSeconds.toFixed(0)} s of CPU`);
    const at = performance.now();
    const found = (await (await fetch(`${link}shoots/${longShoot}/turns`)).json()) as Turns;
    say(`  ${found.turns.length} turns of one shoot: ${(performance.now() - at).toFixed(0)} ms`);
    say(`  at most ${((costOf(child.pid)?.mostResidentBytes ?? 0) / 1_048_576).toFixed(0)} MiB resident`);
  } finally {
    child.kill();
  }
}

async function asked<Answer extends About>(link: string, isSo: (about: Answer) => boolean): Promise<Answer> {
  for (;;) {
    const about = (await (await fetch(`${link}about`)).json()) as Answer;
    if (isSo(about)) return about;
    await pause(50);
  }
}
